// What go/parser says the files under ROOT define: one JSON object a line, layout and comments out.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// dump writes a node as its types, names, literals and operators.
func dump(value reflect.Value, out *strings.Builder) {
	switch value.Kind() {
	case reflect.Interface, reflect.Ptr:
		if value.IsNil() {
			return
		}
		switch value.Interface().(type) {
		case *ast.CommentGroup, *ast.Object, *ast.Scope:
			return
		}
		if paren, ok := value.Interface().(*ast.ParenExpr); ok {
			dump(reflect.ValueOf(paren.X), out)
			return
		}
		dump(value.Elem(), out)
	case reflect.Slice:
		for i := 0; i < value.Len(); i++ {
			dump(value.Index(i), out)
		}
	case reflect.Struct:
		fmt.Fprint(out, value.Type().Name(), "(")
		for i := 0; i < value.NumField(); i++ {
			name, field := value.Type().Field(i).Name, value.Field(i)
			if field.Type() != reflect.TypeOf(token.Pos(0)) {
				dump(field, out)
			} else if (name == "Ellipsis" || name == "Assign") && field.Int() != 0 {
				// `f(list...)` and `type A = B` differ from what they would be without by a position alone.
				out.WriteString(name)
			}
		}
		out.WriteString(")")
	default:
		fmt.Fprint(out, value.Interface(), " ")
	}
}

func text(nodes ...interface{}) string {
	var out strings.Builder
	for _, node := range nodes {
		dump(reflect.ValueOf(&node).Elem(), &out)
	}
	return out.String()
}

func main() {
	root := os.Args[1]
	filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return nil
		}
		local, _ := filepath.Rel(root, path)
		emit := func(name, qual, kind, sig, body, full string, at, from, to token.Pos) {
			line := func(pos token.Pos) int { return set.Position(pos).Line }
			record, _ := json.Marshal(map[string]interface{}{"file": local, "name": name, "qual": qual, "kind": kind, "sig": sig,
				"body": body, "full": full, "line": line(at), "start": line(from), "end": line(to)})
			fmt.Println(string(record))
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				qual := decl.Name.Name
				if decl.Recv != nil && len(decl.Recv.List) > 0 {
					kind := decl.Recv.List[0].Type
					if star, ok := kind.(*ast.StarExpr); ok {
						kind = star.X
					}
					if name, ok := kind.(*ast.Ident); ok {
						qual = name.Name + "." + qual
					}
				}
				var body interface{} = decl.Body
				emit(decl.Name.Name, qual, "callable", text(decl.Recv, decl.Type), text(body), text(decl), decl.Name.Pos(), decl.Pos(), decl.End())
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						sig := text(spec.Type)
						switch spec.Type.(type) {
						case *ast.StructType, *ast.InterfaceType:
							sig = fmt.Sprintf("%T", spec.Type)
						}
						emit(spec.Name.Name, spec.Name.Name, "type", sig, text(spec.Type), text(spec), spec.Name.Pos(), spec.Pos(), spec.End())
					}
				}
			}
		}
		return nil
	})
}
