// Command prune takes out of a file that openapi-gen wrote what the server does not need: definitions that no served kind reaches, and
// fields of package api that only claimbridge's own definitions have: prune FILE. It is what go generate runs.
package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

// roots are the kinds that are served, and what the API server's own paths take and answer.
var roots = regexp.MustCompile(`^(v1beta[12]\.(ResourceClaim|ResourceClaimTemplate|DeviceClass|ResourceSlice)(List)?{}\.OpenAPIModelName\(\)` +
	`|"github.com/claimbridge/claimbridge/api/v1alpha[123]\.(ResourceClaim|ResourceClaimTemplate)(List)?"` +
	`|metav1\.(APIGroup|APIGroupList|APIResourceList|APIVersions|DeleteOptions|Patch|Status|WatchEvent){}\.OpenAPIModelName\(\)` +
	`|version\.Info{}\.OpenAPIModelName\(\))$`)

// hidden are fields that no API server has.
var hidden = map[string]bool{`"claimbridgeLeftover"`: true, `"claimbridgeDeallocationRequested"`: true}

func main() {
	if len(os.Args) != 2 {
		panic("usage: prune FILE")
	}
	source, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Args[1], withoutUnusedImports(parse(source).pruned()), 0o644); err != nil {
		panic(err)
	}
}

// generated is the file, and where its parts are.
type generated struct {
	source    []byte
	file      *ast.File
	functions map[string]*ast.FuncDecl
	pairs     []*ast.KeyValueExpr // of a name and a call of its function
}

func parse(source []byte) *generated {
	g := &generated{source: source, functions: map[string]*ast.FuncDecl{}}
	var err error
	if g.file, err = parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments); err != nil {
		panic(err)
	}
	for _, d := range g.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			g.functions[f.Name.Name] = f
		}
	}
	all := g.functions["GetOpenAPIDefinitions"].Body.List[0].(*ast.ReturnStmt).Results[0].(*ast.CompositeLit)
	for _, element := range all.Elts {
		g.pairs = append(g.pairs, element.(*ast.KeyValueExpr))
	}
	return g
}

// text of a node. The positions are those of the only file of its set, which begins at 1.
func (g *generated) text(n ast.Node) string { return string(g.source[n.Pos()-1 : n.End()-1]) }

func (g *generated) function(pair *ast.KeyValueExpr) *ast.FuncDecl {
	return g.functions[g.text(pair.Value.(*ast.CallExpr).Fun)]
}

// reached are the functions of the roots and of what they refer to.
func (g *generated) reached() map[*ast.FuncDecl]bool {
	named := map[string]*ast.FuncDecl{}
	for _, pair := range g.pairs {
		named[g.text(pair.Key)] = g.function(pair)
	}
	keep := map[*ast.FuncDecl]bool{}
	var reach func(f *ast.FuncDecl)
	reach = func(f *ast.FuncDecl) {
		if f == nil || keep[f] {
			return
		}
		keep[f] = true
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && g.text(call.Fun) == "ref" {
				reach(named[g.text(call.Args[0])])
			}
			return true
		})
	}
	for name, f := range named {
		if roots.MatchString(name) {
			reach(f)
		}
	}
	return keep
}

func (g *generated) pruned() []byte {
	keep := g.reached()
	var cuts []ast.Node
	for name, f := range g.functions {
		if name != "GetOpenAPIDefinitions" && !keep[f] {
			cuts = append(cuts, f)
		}
	}
	for _, pair := range g.pairs {
		if !keep[g.function(pair)] {
			cuts = append(cuts, pair)
		}
	}
	for f := range keep {
		ast.Inspect(f, func(n ast.Node) bool {
			pair, ok := n.(*ast.KeyValueExpr)
			if ok && hidden[g.text(pair.Key)] {
				cuts = append(cuts, pair)
			}
			return true
		})
	}
	slices.SortFunc(cuts, func(a, b ast.Node) int { return int(a.Pos() - b.Pos()) })
	var out []byte
	from := 0
	for _, cut := range cuts {
		out = append(out, g.source[from:cut.Pos()-1]...)
		from = int(cut.End() - 1)
		if g.source[from] == ',' { // of a pair
			from++
		}
		if g.source[from] == '\n' {
			out = bytes.TrimRight(out, "\t")
			from++
		}
	}
	return append(out, g.source[from:]...)
}

func withoutUnusedImports(source []byte) []byte {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	for _, i := range slices.Clone(file.Imports) {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			panic(err)
		}
		if !astutil.UsesImport(file, path) {
			astutil.DeleteNamedImport(files, file, i.Name.Name, path)
		}
	}
	var out bytes.Buffer
	if err := format.Node(&out, files, file); err != nil {
		panic(err)
	}
	return out.Bytes()
}
