//! Sites brought together by what they have in common.

use super::*;

/// In the order in which they come first.
pub fn grouped<'a>(sites: &'a [Site], name: impl Fn(&Site) -> String) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = vec![];
    let mut known = std::collections::HashMap::new();
    for site in sites {
        let name = name(site);
        let at = *known.entry(name.clone()).or_insert_with(|| {
            groups.push(Group {
                name,
                sites: vec![],
            });
            groups.len() - 1
        });
        groups[at].sites.push(site);
    }
    groups
}

pub fn by_definition(sites: &[Site]) -> Vec<Group<'_>> {
    grouped(sites, |site| {
        let def = &site.def;
        format!("{}:{}  {}", def.path, def.line, def.qual)
    })
}

pub fn by_file(sites: &[Site]) -> Vec<Group<'_>> {
    grouped(sites, |site| site.def.path.clone())
}

pub fn by_package(sites: &[Site]) -> Vec<Group<'_>> {
    grouped(sites, |site| site.package.clone())
}

pub fn files_of(sites: &[&Site]) -> usize {
    let mut paths: Vec<&str> = sites.iter().map(|site| &*site.def.path).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.len()
}

pub fn definitions_of(sites: &[&Site]) -> usize {
    let mut defs: Vec<(&str, u32, &str)> = sites
        .iter()
        .map(|site| (&*site.def.path, site.def.line, &*site.def.qual))
        .collect();
    defs.sort_unstable();
    defs.dedup();
    defs.len()
}
