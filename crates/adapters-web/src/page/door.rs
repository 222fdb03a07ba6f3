//! Who is let in: a link that opens the page once, and the two secrets that it is exchanged for.
//!
//! A browser sends a cookie to every port of an address, so a program that an agent started on another port of this
//! machine would see it. Therefore the cookie alone is not enough: the page keeps a second secret where only its own
//! origin can read it, and sends it along. Deliberately absent: headers and their names.

use std::time::{Duration, Instant};

use bailiwick_loopback::Secret;

/// How long a link opens the page.
const LINK_LASTS: Duration = Duration::from_secs(60);

/// What a browser that opened the page keeps.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) cookie: Secret,
    pub(super) page: Secret,
}

/// The link that was printed last, and the seat that was taken last.
#[derive(Debug, Default)]
pub(super) struct Door {
    link: Option<(Secret, Instant)>,
    seat: Option<Seat>,
}

impl Door {
    /// The token of a new link; the one before opens nothing any more.
    pub(super) fn new_link(&mut self, now: Instant) -> std::io::Result<String> {
        let token = Secret::random()?;
        let text = token.reveal().to_owned();
        self.link = Some((token, now + LINK_LASTS));
        Ok(text)
    }

    /// Exchanges a token, once. Whoever came in before is out: a person whose link somebody else used can shut them out
    /// with a new one.
    pub(super) fn exchange(&mut self, token: &str, now: Instant) -> std::io::Result<Option<Seat>> {
        let opens = self.link.as_ref().is_some_and(|(link, until)| link.is(token) && now < *until);
        if !opens {
            return Ok(None);
        }
        let seat = Seat { cookie: Secret::random()?, page: Secret::random()? };
        self.link = None;
        self.seat = Some(seat.clone());
        Ok(Some(seat))
    }

    /// Whether one of these cookies and this second secret are those of the seat.
    pub(super) fn admits<'c>(&self, cookies: impl Iterator<Item = &'c str>, page: &str) -> bool {
        let Some(seat) = &self.seat else { return false };
        let has_cookie = cookies.fold(false, |found, cookie| found | seat.cookie.is(cookie));
        has_cookie & seat.page.is(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookies(seat: &Seat) -> impl Iterator<Item = &str> {
        [seat.cookie.reveal()].into_iter()
    }

    // K-42, D-16: the link opens the page once, and within a minute
    #[test]
    fn a_link_opens_the_page_once_and_within_a_minute() {
        let (mut door, now) = (Door::default(), Instant::now());
        let late = door.new_link(now).unwrap();
        assert!(door.exchange(&late, now + LINK_LASTS).unwrap().is_none());
        let first = door.exchange(&late, now + LINK_LASTS - Duration::from_millis(1)).unwrap().unwrap();
        assert!(door.admits(cookies(&first), first.page.reveal()));
        assert!(door.exchange(&late, now).unwrap().is_none());

        let replaced = door.new_link(now).unwrap();
        let token = door.new_link(now).unwrap();
        for wrong in ["", &replaced, token.split_at(1).1, &format!("{token}A"), &token.to_uppercase()] {
            assert!(door.exchange(wrong, now).unwrap().is_none(), "{wrong}");
        }
        let second = door.exchange(&token, now).unwrap().unwrap();
        assert!(door.admits(cookies(&second), second.page.reveal()));
        assert!(!door.admits(cookies(&first), first.page.reveal()), "whoever came before is out");
    }

    // K-42: a cookie alone, which every port of this machine sees, lets nobody in
    #[test]
    fn both_secrets_are_needed() {
        let (mut door, now) = (Door::default(), Instant::now());
        assert!(!door.admits([""].into_iter(), ""));
        let token = door.new_link(now).unwrap();
        let seat = door.exchange(&token, now).unwrap().unwrap();
        let (cookie, page) = (seat.cookie.reveal(), seat.page.reveal());
        assert!(door.admits(["other", cookie].into_iter(), page));
        for (cookie, page) in [(cookie, ""), (cookie, cookie), (page, page), ("", page), (page, cookie)] {
            assert!(!door.admits([cookie].into_iter(), page));
        }
        assert_eq!(token.len(), 43);
        assert!(!format!("{door:?}").contains(cookie) && !format!("{seat:?}").contains(page));
    }
}
