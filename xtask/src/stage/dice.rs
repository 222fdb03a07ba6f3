//! Random numbers that are the same everywhere, so that what they made can be made again.

/// A generator of numbers.
#[derive(Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The generator of that number.
    pub(crate) fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(sides.max(1)).unwrap_or(1)).unwrap_or_default()
    }

    /// One of these.
    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.roll(of.len()))
    }
}
