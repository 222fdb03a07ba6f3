//! How any judge plays its cases: seeded, counted, and shrunk to the smallest input that shows a fault.

use std::cell::Cell;
use std::fmt;

use anyhow::{Result, bail};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// One program whose reading the gate predicts.
pub(crate) struct Judge {
    /// How it is called on the command line.
    pub(crate) name: &'static str,
    /// Plays its cases.
    pub(crate) run: fn(&Orders) -> Result<Tally>,
}

/// How many cases, and which.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Orders {
    /// Overrides the judge's own number of cases.
    pub(crate) cases: Option<u32>,
    /// The same seed plays the same cases.
    pub(crate) seed: u32,
}

/// What one case showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// The gate said at least what the program did.
    Held,
    /// The gate refused an input on which the program acts.
    Refused,
    /// The program did what the gate did not say.
    Missed(String),
}

/// What all cases of one judge showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// How many were played.
    pub(crate) cases: u32,
    /// On how many of them the program acts and the gate refused.
    pub(crate) refused: u32,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.cases += other.cases;
        self.refused += other.refused;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cases, {} refused though the program acts on them", self.cases, self.refused)
    }
}

/// Of a hundred plain inputs at most one may be refused.
const PLAIN_SHARE: u32 = 100;

impl Tally {
    /// What plain inputs have shown.
    ///
    /// # Errors
    /// Too many of them were refused.
    pub(crate) fn of_plain(self) -> Result<Self> {
        if self.refused * PLAIN_SHARE > self.cases {
            bail!("{} of {} plain cases are refused", self.refused, self.cases);
        }
        Ok(self)
    }
}

/// Plays `usual` cases, or as many as were ordered.
///
/// # Errors
/// The smallest case that was found in which more happened than was said.
pub(crate) fn play<S: Strategy>(
    orders: &Orders,
    usual: u32,
    inputs: &S,
    judge: impl Fn(&S::Value) -> Result<Finding>,
) -> Result<Tally> {
    let cases = orders.cases.unwrap_or(usual);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed(orders)));
    let refused = Cell::new(0);
    let result = runner.run(inputs, |input| {
        match judge(&input).map_err(|error| TestCaseError::fail(format!("{error:#}")))? {
            Finding::Held => Ok(()),
            Finding::Refused => {
                refused.set(refused.get() + 1);
                Ok(())
            }
            Finding::Missed(what) => Err(TestCaseError::fail(what)),
        }
    });
    match result {
        Ok(()) => Ok(Tally { cases, refused: refused.get() }),
        Err(TestError::Fail(why, input)) => bail!("seed {}: {why}\n{input:#?}", orders.seed),
        Err(TestError::Abort(why)) => bail!("seed {}: stopped: {why}", orders.seed),
    }
}

fn seed(orders: &Orders) -> [u8; 32] {
    let mut seed = [0; 32];
    for (slot, byte) in seed.iter_mut().zip(orders.seed.to_le_bytes()) {
        *slot = byte;
    }
    seed
}
