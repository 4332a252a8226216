//! The form of a vocabulary's table, shared by `build.rs`, which makes it, and `vocabulary`, which asks it.
//!
//! A table is a power of two of slots. A slot holds the upper bits of a token's hash and, below them, its rank plus one; 0 is
//! empty. The lower bits of the hash say where to begin. Along a way through the table fingerprints fall (Amble and Knuth's
//! ordered hashing), so that a string which is no token is known by the first smaller one: 2.6 slots on average, not 9.
//! No token's bytes are kept: `build.rs` checks that the fingerprints of a vocabulary differ, and another string has one of
//! them with a probability of 2^-46 a slot.

/// Bits of a slot that hold a rank plus one.
pub const RANK_BITS: u32 = 18;
/// Bytes of the longest token in any vocabulary.
pub const LONGEST: usize = 128;

const K: [u64; 3] = [
    0x9e37_79b9_7f4a_7c15,
    0xd6e8_feb8_6659_fd93,
    0xc2b2_ae3d_27d4_eb4f,
];

/// 64 bits that depend on every byte and on the length.
#[inline]
pub fn hash(bytes: &[u8]) -> u64 {
    let length = bytes.len() as u64;
    let (low, high) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) if length <= 16 => {
            (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
        }
        (Some(_), Some(last)) => (long(bytes), u64::from_le_bytes(*last)),
        _ => (short(bytes), 0),
    };
    let mixed = fold(low ^ K[0], high ^ K[1].wrapping_mul(length));
    fold(mixed ^ K[2], K[0])
}

/// Up to seven bytes as one number; the length tells apart what reads alike.
#[inline]
fn short(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
        }
        _ => match *bytes {
            [] => 0,
            [a] => u64::from(a),
            [a, b] => u64::from(a) | u64::from(b) << 8,
            [a, b, .., c] => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
        },
    }
}

/// All whole words but the last eight bytes.
#[inline]
fn long(bytes: &[u8]) -> u64 {
    let (words, _) = bytes[..bytes.len() - 1].as_chunks::<8>();
    words.iter().fold(K[1], |state, word| {
        fold(state ^ u64::from_le_bytes(*word), K[2])
    })
}

/// Both halves of the product: every bit of both factors reaches every bit of the result.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
