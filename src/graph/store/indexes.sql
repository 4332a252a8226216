-- What finds rows of the graph by other things than their keys.
CREATE INDEX def_file ON def(file, local);
CREATE INDEX def_name ON def(name);
CREATE INDEX edge_src ON edge(src);
CREATE INDEX over_sub ON over(sub);
CREATE INDEX site_src ON site(src);
CREATE INDEX site_name ON site(name);
