//! The floor of the measurement: a program that does nothing, linked exactly as the product is.

fn main() {}
