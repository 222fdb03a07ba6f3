//! Specs of other tools as intents: fixtures of each kind, another import, and texts that nobody expects.
#![cfg(test)]
