-- The graph of a tree. Integer ids everywhere; no text of sources. `store.rs` says who writes what.
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
-- Workspace members as manifests declare them.
CREATE TABLE pkg(id INTEGER PRIMARY KEY, root TEXT NOT NULL, name TEXT NOT NULL, manifest TEXT NOT NULL);
-- Everything the answers depend on: sources, manifests, files that say what is ignored. Paths are from the root, with `/`.
CREATE TABLE file(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, role INTEGER NOT NULL,
  stamp INTEGER NOT NULL, hash BLOB NOT NULL,
  language TEXT, home TEXT, pkg INTEGER, flags INTEGER NOT NULL DEFAULT 0,
  lines INTEGER NOT NULL DEFAULT 0, damaged INTEGER NOT NULL DEFAULT 0);
-- Folders that were listed: a new file changes the time of its folder.
CREATE TABLE folder(path TEXT PRIMARY KEY, stamp INTEGER NOT NULL) WITHOUT ROWID;
-- What is needed to link a file again, and what it was linked with.
CREATE TABLE detail(file INTEGER PRIMARY KEY, facts BLOB NOT NULL, surface INTEGER NOT NULL, provides BLOB NOT NULL, needs BLOB NOT NULL);
-- Definitions; `local` is the index in the file's facts, -1 is the file's own code outside of all definitions. An id is kept
-- as long as the file has a definition of that kind, name and ordinal.
CREATE TABLE def(
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, local INTEGER NOT NULL, parent INTEGER, kind INTEGER NOT NULL,
  name TEXT NOT NULL, qual TEXT NOT NULL, line INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
  flags INTEGER NOT NULL, least INTEGER NOT NULL, most INTEGER NOT NULL);
CREATE TABLE edge(
  dst INTEGER NOT NULL, src INTEGER NOT NULL, line INTEGER NOT NULL, sort INTEGER NOT NULL, grade INTEGER NOT NULL,
  dead INTEGER NOT NULL, PRIMARY KEY(dst, src, line, sort, grade, dead)) WITHOUT ROWID;
-- A member that stands for a member of a base.
CREATE TABLE over(sup INTEGER NOT NULL, sub INTEGER NOT NULL, PRIMARY KEY(sup, sub)) WITHOUT ROWID;
-- Calls that were not resolved.
CREATE TABLE site(src INTEGER NOT NULL, line INTEGER NOT NULL, name TEXT NOT NULL, shape INTEGER NOT NULL, args INTEGER NOT NULL);
-- Keys that files can be found by, and keys that linking them looked up, found or not.
CREATE TABLE provide(key INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY(key, file)) WITHOUT ROWID;
CREATE TABLE need(key INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY(key, file)) WITHOUT ROWID;
-- Names of definitions, whole and in their parts; rowid is def.id.
CREATE VIRTUAL TABLE word USING fts5(name, content='', contentless_delete=1, detail=none);
