//! `*` and `?` over one name. Knows nothing of separators, classes or braces.

/// Whether the whole name has the pattern's form: `*` stands for any run of characters, `?` for one.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    // Most are told apart by their first sign.
    let first = pattern.as_bytes().first();
    if first != name.as_bytes().first() && !matches!(first, Some(b'*' | b'?')) {
        return false;
    }
    if !pattern.bytes().any(|sign| matches!(sign, b'*' | b'?')) {
        return pattern == name;
    }
    let plain = |text: &str| !text.contains(['*', '?']);
    match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
        (Some(head), _) if plain(head) => return name.starts_with(head),
        (_, Some(tail)) if plain(tail) => return name.ends_with(tail),
        _ => {}
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while let Some(wanted) = name.get(n) {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p + 1, n));
                p += 1;
            }
            Some(sign) if *sign == '?' || sign == wanted => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((after_star, from)) = retry else { return false };
                retry = Some((after_star, from + 1));
                p = after_star;
                n = from + 1;
            }
        }
    }
    pattern.iter().skip(p).all(|sign| *sign == '*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    /// All texts of these signs, up to four of them.
    fn texts(signs: &[char]) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut from = 0;
        for _ in 0..4 {
            let to = all.len();
            for at in from..to {
                all.extend(signs.iter().map(|sign| format!("{}{sign}", all[at])).collect::<Vec<_>>());
            }
            from = to;
        }
        all
    }

    /// The same, tried out.
    fn naive(pattern: &[char], name: &[char]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            (['*', rest @ ..], _) => (0..=name.len()).any(|skipped| naive(rest, &name[skipped..])),
            ([sign, pattern @ ..], [first, name @ ..]) => {
                (*sign == '?' || sign == first) && naive(pattern, name)
            }
            _ => false,
        }
    }

    #[test]
    fn a_pattern_fits_as_trying_it_out_says() {
        let names = texts(&['a', 'b', 'é']);
        for pattern in texts(&['a', 'é', '*', '?']) {
            let signs: Vec<char> = pattern.chars().collect();
            for name in &names {
                let expected = naive(&signs, &name.chars().collect::<Vec<_>>());
                assert_eq!(fits(&pattern, name), expected, "`{pattern}` and `{name}`");
            }
        }
    }
}
