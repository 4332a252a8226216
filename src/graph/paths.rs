//! Paths by the letter: relative ones, with `/`. Looks at no disk.

use std::path::{Component, Path, PathBuf};

/// The way from a folder to a path, with `/`; both absolute. `.` and `..` are taken by the letter.
pub fn relative(from: &Path, to: &Path) -> String {
    let (from, to) = (plain(from), plain(to));
    let shared = from
        .components()
        .zip(to.components())
        .take_while(|(one, other)| one == other)
        .count();
    let up = from.components().skip(shared).map(|_| "..".into());
    let down = to.components().skip(shared);
    let down = down.map(|part| part.as_os_str().to_string_lossy());
    let words: Vec<_> = up.chain(down).collect();
    words.join("/")
}

/// Without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::relative;
    use std::path::Path;

    #[test]
    fn ways_lead_up_and_down() {
        for (from, to, way) in [
            ("/a/b", "/a/b/c/d.x", "c/d.x"),
            ("/a/b", "/a/c/d.x", "../c/d.x"),
            ("/a/b", "/a/b/../c/./d.x", "../c/d.x"),
            ("/a/b/c", "/a", "../.."),
            ("/a", "/a", ""),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)), way);
        }
    }
}
