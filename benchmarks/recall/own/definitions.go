// Definitions by go/ast: paths on standard input, one JSON line for each definition.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

type definition struct {
	Path string `json:"path"`
	Name string `json:"name"`
	Kind string `json:"kind"`
	Line int    `json:"line"`
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	paths := bufio.NewScanner(os.Stdin)
	for paths.Scan() {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, paths.Text(), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		emit := func(kind string, name *ast.Ident) {
			if name.Name != "_" {
				encoder.Encode(definition{paths.Text(), name.Name, kind, files.Position(name.Pos()).Line})
			}
		}
		for _, declaration := range file.Decls {
			switch declaration := declaration.(type) {
			case *ast.FuncDecl:
				emit("function", declaration.Name)
			case *ast.GenDecl:
				for _, spec := range declaration.Specs {
					specification(spec, declaration.Tok, emit)
				}
			}
		}
	}
}

func specification(spec ast.Spec, word token.Token, emit func(string, *ast.Ident)) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			emit(word.String(), name)
		}
	case *ast.TypeSpec:
		emit("type", spec.Name)
		switch inner := spec.Type.(type) {
		case *ast.StructType:
			fields("field", inner.Fields, emit)
		case *ast.InterfaceType:
			fields("method", inner.Methods, emit)
		}
	}
}

func fields(kind string, list *ast.FieldList, emit func(string, *ast.Ident)) {
	for _, field := range list.List {
		for _, name := range field.Names {
			emit(kind, name)
		}
	}
}
