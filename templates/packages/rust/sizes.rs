//! What sizes of tensors are computed with; a division by 0 is 0, as in the network.
#![allow(dead_code)]
pub fn floor_div(a: i64, b: i64) -> i64 {
    if b == 0 { 0 } else { a.div_euclid(b) }
}
pub fn floor_mod(a: i64, b: i64) -> i64 {
    if b == 0 { 0 } else { a.rem_euclid(b) }
}
pub fn least(a: i64, b: i64) -> i64 {
    a.min(b)
}
pub fn greatest(a: i64, b: i64) -> i64 {
    a.max(b)
}
