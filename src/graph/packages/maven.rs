//! `pom.xml` and `build.gradle`: modules by name. Names say which module a file belongs to; what is imported is found by the
//! packages that files declare.

use super::{Manifest, Package};

pub fn read(manifest: &Manifest<'_>) -> Vec<Package> {
    let name = text_at(manifest.text, &["project", "artifactId"]);
    name.map(|name| package(manifest, name))
        .into_iter()
        .collect()
}

/// A project is called as its folder is, but for the outermost: its folder can be called anything.
pub fn read_gradle(manifest: &Manifest<'_>) -> Vec<Package> {
    let name = manifest
        .root
        .rsplit('/')
        .next()
        .filter(|name| !name.is_empty());
    name.map(|name| package(manifest, name))
        .into_iter()
        .collect()
}

fn package(manifest: &Manifest<'_>, name: &str) -> Package {
    Package {
        root: manifest.root.to_string(),
        name: name.to_string(),
        ..Package::default()
    }
}

/// The text of the first element at a path of names.
fn text_at<'a>(xml: &'a str, path: &[&str]) -> Option<&'a str> {
    let mut open: Vec<&str> = vec![];
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        let end = match rest {
            comment if comment.starts_with("<!--") => "-->",
            instruction if instruction.starts_with("<?") => "?>",
            _ => ">",
        };
        let length = rest.find(end)? + end.len();
        let tag = &rest[1..length - 1];
        rest = &rest[length..];
        if tag.starts_with(['!', '?']) || tag.ends_with('/') {
            continue;
        }
        if tag.starts_with('/') {
            open.pop();
            continue;
        }
        open.push(tag.split_whitespace().next().unwrap_or(tag));
        if open == path {
            let text = rest.split('<').next().unwrap_or("").trim();
            return (!text.is_empty()).then_some(text);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_its_own_name_not_that_of_its_parent_or_of_what_it_needs() {
        let text =
            "<?xml version=\"1.0\"?><!-- <project><artifactId>x</artifactId> --><project a='b'>
            <parent><artifactId>parent</artifactId></parent><packaging/>
            <artifactId> own </artifactId></project>";
        let manifest = Manifest { root: "a/b", text };
        assert_eq!(read(&manifest)[0].name, "own");
        assert_eq!(read_gradle(&manifest)[0].name, "b");
        let without = Manifest {
            root: "",
            text: "<project><artifactId",
        };
        assert_eq!(read(&without), vec![]);
        assert_eq!(read_gradle(&without), vec![]);
    }
}
