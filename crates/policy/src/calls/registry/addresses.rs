//! Addresses that a fetch of a page does not go to: those at which a cloud gives a machine its credentials, and files.
//!
//! Pure: no name is looked up, so that a name of somebody's own that leads there is not known.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use bailiwick_domain::{Classification, Params, Settings, Value};

use super::ToolEntry;
use crate::calls::address::{cleaned, holds_one, leads_to_web};

/// Names of such places.
const NAMES: &[&str] = &[
    "metadata.google.internal", // Google Cloud: "About VM metadata"
    "metadata.goog",            // Google Cloud: "About VM metadata"
    "metadata",                 // Google Cloud, by its search domain
    "instance-data",            // Amazon EC2, by its search domain
    "instance-data.ec2.internal",
];

/// Their addresses that are no link-local ones.
const PLACES: &[IpAddr] = &[
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)), // Alibaba Cloud: "Obtain instance metadata"
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),     // Oracle Cloud Classic: "Retrieving instance metadata"
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),   // Azure: "What is IP address 168.63.129.16?"
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)), // Amazon EC2: "Instance metadata options"
    IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)), // Google Cloud: IPv6-only instances
];

/// Signs behind the host of an address in a text.
const ENDS: &[char] = &['/', '?', '#', '"', '\'', '`', '<', '>', ')', ',', ';', '|'];

/// So much of an address is shown.
const SHOWN: usize = 120;

/// A name of the network has at most 253 signs; what stands before it may add to that. More is not taken apart, and asks.
const LONGEST: usize = 300;

/// So often encoded text is decoded.
const MOST_ROUNDS: usize = 3;

/// Why a person is asked about where a fetch goes, as the middle of the sentence "`TOOL` …", if so.
pub fn asks(tool: &ToolEntry, params: &Params, settings: &Settings) -> Option<String> {
    let fetches = tool.canonical == "web_fetch" || !tool.known;
    if tool.own || tool.class != Classification::Safe || !fetches {
        return None;
    }
    if tool.canonical == "web_fetch"
        && let Some(address) = no_page(params)
    {
        let start: String = address.chars().take(SHOWN).collect();
        return Some(format!("fetches `{}`, which is no address of the web", start.escape_debug()));
    }
    let is_named = |host: &str| settings.network_allow.iter().any(|named| named.eq_ignore_ascii_case(host));
    let host = first_host(params, &|host| gives_credentials(host) && !is_named(host))?;
    Some(format!("reaches out to {}, which may give out credentials of this machine", host.escape_debug()))
}

/// The first address among the parameters that is none of the web.
fn no_page(params: &Params) -> Option<String> {
    let mut texts = Vec::new();
    params.iter().for_each(|(key, value)| gather(key, value, &mut texts));
    let addresses = texts.into_iter().filter(|(is_address, _)| *is_address).map(|(_, text)| cleaned(text));
    addresses.filter(|text| !text.is_empty()).find(|text| !leads_to_web(text)).map(Into::into)
}

/// The first such host among all that one reader or another could take for the host of an address among the parameters.
fn first_host(params: &Params, is_sought: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut texts = Vec::new();
    params.iter().for_each(|(key, value)| gather(key, value, &mut texts));
    for (is_address, text) in texts {
        let mut text = text.to_lowercase();
        for _ in 0..=MOST_ROUNDS {
            for reading in [cleaned(&text), text.as_str().into()] {
                let mut starts = behind_schemes(&reading).chain(is_address.then_some(reading.trim()));
                if let Some(host) = starts.find_map(|start| host_in(start, is_sought)) {
                    return Some(host);
                }
            }
            text = decoded(&text);
        }
    }
    None
}

/// Each text, and whether it stands where an address does, also one without a scheme.
fn gather<'a>(key: &str, value: &'a Value, texts: &mut Vec<(bool, &'a str)>) {
    match value {
        Value::String(text) => texts.push((holds_one(key), text)),
        Value::Array(items) => items.iter().for_each(|item| gather(key, item, texts)),
        Value::Object(members) => members.iter().for_each(|(key, value)| gather(key, value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What stands behind each `scheme://`; browsers need no slashes behind `http:`.
fn behind_schemes(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(':').filter_map(|(at, _)| {
        let (before, behind) = (text.get(..at)?, text.get(at + 1..)?);
        let is_scheme =
            behind.starts_with(['/', '\\']) || before.ends_with("http") || before.ends_with("https");
        is_scheme.then(|| behind.trim_start_matches(['/', '\\']))
    })
}

/// The first such host of those that the start of a text may mean: `@` and a backslash part it differently for different
/// readers.
fn host_in(text: &str, is_sought: &dyn Fn(&str) -> bool) -> Option<String> {
    let text = text.trim_start_matches(['/', '\\']);
    let near = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
    let end = near.find(|sign: char| sign.is_whitespace() || ENDS.contains(&sign));
    if end.is_none() && near.len() < text.len() {
        return Some(near.chars().take(SHOWN).collect());
    }
    let host = |part: &'_ str| match part.strip_prefix('[') {
        Some(rest) => rest.split([']', '%']).next().unwrap_or_default().to_owned(),
        None => part.split(':').next().unwrap_or_default().trim_end_matches('.').to_owned(),
    };
    let authority = near.get(..end.unwrap_or(near.len())).unwrap_or_default();
    authority.split(['@', '\\']).map(host).find(|host| is_sought(host))
}

fn gives_credentials(host: &str) -> bool {
    let address = host.parse().map(IpAddr::V6).ok().or_else(|| number(host).map(IpAddr::V4));
    let reached = match address {
        Some(IpAddr::V6(address)) => inner(address).map_or(IpAddr::V6(address), IpAddr::V4),
        Some(address) => address,
        None => return NAMES.contains(&host) || is_disguised(host),
    };
    let is_link_local = match reached {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    is_link_local || PLACES.contains(&reached)
}

/// The address of the fourth version that one of the sixth stands for: mapped, compatible, or translated.
fn inner(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, high, low] = address.segments();
    let is_translated = [a, b, c, d, e, f] == [0x64, 0xff9b, 0, 0, 0, 0];
    let [[h1, h2], [l1, l2]] = [high.to_be_bytes(), low.to_be_bytes()];
    address.to_ipv4().or(is_translated.then_some(Ipv4Addr::new(h1, h2, l1, l2)))
}

/// An address as `inet_aton` and browsers read it: up to four numbers, each decimal, octal or hexadecimal, of which the last
/// fills what is left.
fn number(host: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u64> = host.split('.').map(part).collect::<Option<_>>()?;
    let (last, firsts) = parts.split_last()?;
    let left = 4usize.checked_sub(firsts.len()).filter(|left| *left > 0)?;
    if firsts.iter().any(|part| *part > 255) || *last >= 1 << (8 * left) {
        return None;
    }
    let head = firsts.iter().fold(0, |whole, part| whole << 8 | part);
    u32::try_from(head << (8 * left) | last).ok().map(Ipv4Addr::from)
}

fn part(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some("") => Some(0),
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if text.starts_with('0') => u64::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    }
}

/// Whether a host has signs that a browser writes as others: digits and dots of another width, letters in a circle.
fn is_disguised(host: &str) -> bool {
    let is_odd = |sign: char| {
        !sign.is_ascii()
            && (!sign.is_alphabetic()
                || matches!(sign, '\u{24b6}'..='\u{24e9}' | '\u{ff01}'..='\u{ff5e}' | '\u{1d400}'..='\u{1d7ff}'))
    };
    host.chars().any(is_odd)
}

/// The text with each `%41` as its sign.
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (code, part.get(2..)) {
            (Some(code), Some(rest)) => whole.extend([char::from(code)].into_iter().chain(rest.chars())),
            _ => whole.extend(['%'].into_iter().chain(part.chars())),
        }
    }
    whole.to_lowercase()
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::json;

    use super::*;
    use crate::calls::registry::classify;

    fn asked(tool: &str, params: &Value) -> Option<String> {
        let settings = Settings::default();
        asks(&classify(tool, &settings.classification), params.as_object().unwrap(), &settings)
    }

    // D-36
    #[test]
    fn what_gives_out_credentials_is_asked_about_however_it_is_spelled() {
        for host in [
            "169.254.169.254",
            "169.254.170.2",
            "169.254.255.254",
            "169.254.169.254.",
            "169.254.43518",
            "2852039166",
            "0xa9fea9fe",
            "0xA9.0xFE.0xA9.0xFE",
            "0251.0376.0251.0376",
            "169.0xfea9fe",
            "0xa9.254.0251.254",
            "[fe80::1]",
            "[fe80::1%25eth0]",
            "[fd00:ec2::254]",
            "[::ffff:169.254.169.254]",
            "[::ffff:a9fe:a9fe]",
            "[64:ff9b::a9fe:a9fe]",
            "[::169.254.169.254]",
            "metadata.google.internal",
            "METADATA.google.internal.",
            "100.100.100.200",
            "168.63.129.16",
            "x@169.254.169.254",
            "docs.rs\\@169.254.169.254",
            "169.254.169.254\\@docs.rs",
            "%31%36%39.254.169.254",
            "169%2e254%2e169%2e254",
            "169.254.\t169.254",
            "169。254。169。254",
            "１６９.254.169.254",
            "①69.254.169.254",
            "ⓜetadata.google.internal",
        ] {
            for url in
                [format!("http://{host}/latest"), format!("HTTP:{host}:80"), format!("https:\\\\{host}?x")]
            {
                assert!(asked("WebFetch", &json!({"url": url, "prompt": "x"})).is_some(), "{url}");
            }
            let prompt = format!("read http://{host}/latest/meta-data, please");
            assert!(asked("web_fetch", &json!({"prompt": prompt})).is_some(), "{prompt}");
            for bare in [
                json!({"url": format!("{host}/x")}),
                json!({"urls": ["https://docs.rs", format!("//{host}")]}),
            ] {
                assert!(asked("fetch_webpage", &bare).is_some(), "{bare}");
            }
        }
        for inside in [
            "https://x.example/?u=http://169.254.169.254/",
            "https://x.example/?u=http%253A%252F%252F169.254.169.254",
        ] {
            assert!(asked("WebFetch", &json!({"url": inside})).is_some(), "{inside}");
        }
        let said = asked("WebFetch", &json!({"url": "http://169.254.169.254/latest"})).unwrap();
        assert_eq!(said, "reaches out to 169.254.169.254, which may give out credentials of this machine");
    }

    // Limits before work: a host that nobody could reach is not taken apart
    #[test]
    fn a_host_of_more_than_300_signs_is_asked_about() {
        let user = "a".repeat(300);
        for text in [":\\a".repeat(20_000), "http:".repeat(20_000), format!("http://{user}@169.254.169.254/")]
        {
            for params in [json!({"url": "https://docs.rs/", "prompt": text}), json!({"url": text})] {
                assert!(asked("WebFetch", &params).is_some());
            }
        }
        let links = "see https://docs.rs/serde/, http://a.example; ".repeat(2_000);
        assert_eq!(asked("WebFetch", &json!({"url": "https://docs.rs/", "prompt": links})), None);
        let path = format!("https://docs.rs/{}", "é".repeat(2_000));
        assert_eq!(asked("WebFetch", &json!({"url": path})), None);
    }

    // A14: VS Code reads a file for whatever is not `http:`
    #[test]
    fn a_file_is_no_page() {
        for params in [
            json!({"urls": ["https://docs.rs/x", "file:///repo/.env"]}),
            json!({"urls": ["/repo/.env"], "query": "x"}),
            json!({"url": "fi\tle:///repo/.env"}),
            json!({"Url": "repo/.env"}),
            json!({"urls": ["localhost/../repo/.env"]}),
            json!({"requests": [{"url": "vscode-remote://x/repo/.env", "prompt": "p"}]}),
        ] {
            assert!(asked("fetch_webpage", &params).is_some(), "{params}");
        }
        let said = asked("WebFetch", &json!({"url": "file:///repo/.env"})).unwrap();
        assert_eq!(said, "fetches `file:///repo/.env`, which is no address of the web");
        assert_eq!(asked("WebFetch", &json!({"url": ""})), None);
    }

    // D-36: a server under development on this machine is honest work
    #[test]
    fn an_honest_fetch_goes_where_it_wants() {
        for url in [
            "http://127.0.0.1:8080/shutdown",
            "http://localhost:3000",
            "http://[::1]:5173/",
            "http://10.0.0.7/",
            "https://docs.rs/serde/?search=169.254",
            "https://169.example/",
            "https://metadata.example.com/",
            "https://a.example/metadata",
            "https://пример.example/",
            "https://例え.jp/",
            "http://1.2.3.4.5/",
            "http://169.254.169.254.0/",
            "http://169.510.169.254/",
            "http://169.254.169.256/",
            "http://256.1/",
            "https://a.example/%zz%",
            "https://a.example/a:b",
            "docs.rs/x:/y",
            "http://0x/",
            "http://4294967296/",
        ] {
            let params = json!({"url": url, "prompt": "what is 169.254.169.254 for?"});
            assert_eq!(asked("WebFetch", &params), None, "{url}");
        }
        assert_eq!(asked("WebSearch", &json!({"query": "http://169.254.169.254"})), None);
        assert_eq!(asked("Bash", &json!({"command": "http://169.254.169.254"})), None);
    }

    // D-36: what a person named in the settings, and tools that a person classed
    #[test]
    fn the_settings_count_here_too() {
        let settings = Settings {
            network_allow: vec!["169.254.169.254".to_owned()],
            classification: [("mcp__x__get".to_owned(), Classification::Safe)].into(),
            ..Settings::default()
        };
        let asked = |tool: &str, url: &str| {
            let params = json!({ "url": url });
            asks(&classify(tool, &settings.classification), params.as_object().unwrap(), &settings).is_some()
        };
        assert!(!asked("WebFetch", "http://169.254.169.254/"));
        assert!(asked("WebFetch", "http://169.254.170.2/"));
        assert!(
            asked("mcp__x__get", "http://169.254.170.2/") && !asked("mcp__x__put", "http://169.254.170.2/")
        );
    }
}
