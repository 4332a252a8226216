//! Writes the tables that counting tokens needs, so that the program has nothing to load when it starts: a table of each
//! vocabulary (the form is `src/tokens/hash.rs`) and the classes of characters that the splitters ask for.
//!
//! The vocabularies are OpenAI's (tiktoken, MIT), taken from the crate toktok-rs; the classes are those of regex-syntax, the
//! tables that the tiktoken crate's regular expressions are matched with. Committing the tables would put 3 MB of binary
//! into every clone and leave open where they came from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use regex_syntax::hir::{Class, HirKind};

#[path = "src/tokens/class.rs"]
#[allow(dead_code, reason = "the program asks what is written here")]
mod class;
#[path = "src/tokens/hash.rs"]
mod hash;

fn main() {
    for file in ["build.rs", "src/tokens/hash.rs", "src/tokens/class.rs"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let out = out.expect("cargo says where output goes");
    write(&out, "o200k.table", &vocabulary("o200k_base"));
    write(&out, "cl100k.table", &vocabulary("cl100k_base"));
    let (blocks, index) = classes();
    write(&out, "class.blocks", &blocks);
    write(&out, "class.index", &index);
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    std::fs::write(folder.join(name), bytes).expect("the output folder can be written");
}

/// The table of a vocabulary: three quarters full, in little-endian words.
fn vocabulary(name: &str) -> Vec<u8> {
    let tokenizer = toktok::Tokenizer::builtin(name).expect("the crate holds it");
    let tokens = (0..tokenizer.vocab_size() as u32)
        .map(|rank| (rank, tokenizer.token_bytes(rank).expect("ranks are dense")));
    let size = (tokenizer.vocab_size() * 5 / 4).next_power_of_two();
    let mut slots = vec![0_u64; size];
    let mut fingerprints = std::collections::HashSet::new();
    for (rank, bytes) in tokens {
        let hash = hash::hash(bytes);
        assert!(
            bytes.len() <= hash::LONGEST,
            "{name}: a token of {} bytes",
            bytes.len()
        );
        assert!(rank + 1 < 1 << hash::RANK_BITS, "{name}: too many tokens");
        assert!(
            fingerprints.insert(hash >> hash::RANK_BITS),
            "{name}: two tokens have one fingerprint: change a constant of the hash"
        );
        insert(&mut slots, hash, rank);
    }
    slots.iter().flat_map(|slot| slot.to_le_bytes()).collect()
}

fn insert(slots: &mut [u64], hash: u64, rank: u32) {
    let mut slot = hash >> hash::RANK_BITS << hash::RANK_BITS | u64::from(rank + 1);
    let mut at = hash as usize % slots.len();
    while slots[at] != 0 {
        // Larger fingerprints come first on the way that both go.
        if slots[at] < slot {
            std::mem::swap(&mut slots[at], &mut slot);
        }
        at = (at + 1) % slots.len();
    }
    slots[at] = slot;
}

/// The classes of all characters: blocks of equal content once, and which block each stretch of characters is.
fn classes() -> (Vec<u8>, Vec<u8>) {
    let mut all = vec![class::OTHER; 0x11_0000];
    let sets = [
        (r"\p{Lu}\p{Lt}", class::UPPER),
        (r"\p{Ll}", class::LOWER),
        (r"\p{Lm}\p{Lo}", class::CASELESS),
        (r"\p{M}", class::MARK),
        (r"\p{N}", class::NUMBER),
        (r"\s", class::SPACE),
        (r"\r\n", class::NEWLINE),
    ];
    for (set, class) in sets {
        let parsed = regex_syntax::parse(&format!("[{set}]")).expect("a class of characters");
        let HirKind::Class(Class::Unicode(ranges)) = parsed.kind() else {
            panic!("{set} is no class of characters");
        };
        for range in ranges.iter() {
            all[range.start() as usize..=range.end() as usize].fill(class);
        }
    }
    let mut known = HashMap::new();
    let (mut blocks, mut index) = (vec![], vec![]);
    for block in all.chunks(class::BLOCK) {
        let next = u8::try_from(known.len()).expect("fewer than 256 blocks differ");
        let number = *known.entry(block).or_insert_with(|| {
            blocks.extend(block);
            next
        });
        index.push(number);
    }
    (blocks, index)
}
