package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

const features = "pkg/features"

// folders of the modules that say something of claims.
var folders = []string{
	"resource/v1", "resource/v1beta1", "resource/v1beta2", "pkg/api/validate", features,
	"pkg/apis/resource/validation",
	"pkg/registry/resource/resourceclaim",
	"pkg/registry/resource/resourceclaimtemplate",
}

// others are types of the group that no claim has.
var others = regexp.MustCompile(`^(DeviceClass$|DeviceClass[SCL]|ResourceSlice|ResourcePool|BasicDevice|Device$|` +
	`DeviceTaint(Rule|Selector|$)|DeviceAttribute|DeviceCapacity|DeviceCounter|Counter|` +
	`CapacityRequestPolicy|NodeAllocatable)`)

// factsOfTypes: fields, tags of validation, calls of generated validation, and when a version ends.
func factsOfTypes(files map[string][]byte, _ string, into facts) error {
	removed := regexp.MustCompile(`func \(in \*ResourceClaim\) APILifecycleRemoved\(\) \(major, minor int\) ` +
		`\{\s+return (\d+), (\d+)`)
	for name, text := range files {
		version := path.Base(path.Dir(name))
		if m := removed.FindSubmatch(text); m != nil {
			into["end of "+version] = fmt.Sprintf("%s.%s", m[1], m[2])
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					t, isType := spec.(*ast.TypeSpec)
					if !isType || path.Base(name) != "types.go" || others.MatchString(t.Name.Name) {
						continue
					}
					if s, isStruct := t.Type.(*ast.StructType); isStruct {
						factsOfFields(version+" "+t.Name.Name, s, into)
					}
				}
			case *ast.FuncDecl:
				of, isCheck := strings.CutPrefix(d.Name.Name, "Validate_")
				if isCheck && !others.MatchString(of) {
					into["check "+version+" "+of] = strings.Join(checks.FindAllString(source(d.Body), -1), " ")
				}
			}
		}
	}
	return nil
}

// checks that generated code calls, with what limits them and the gate that they stand behind.
var checks = regexp.MustCompile(`validate\.(?:Optional|Required|Max|Min|Resource|Long|Short|Label|UUID|` +
	`Update|NoModify|Enum|Union|IfOption|Each|ValSlice)\w*|, \d+\)|"DRA\w+"`)

func factsOfFields(of string, s *ast.StructType, into facts) {
	for _, f := range s.Fields.List {
		if f.Tag == nil {
			continue
		}
		json, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
		into["field "+of+"."+json] = source(f.Type)
		var tags []string
		for line := range strings.Lines(f.Doc.Text()) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "+") && !slices.Contains(tags, line) {
				tags = append(tags, strings.ReplaceAll(line, "|", `\|`))
			}
		}
		into["tags "+of+"."+json] = strings.Join(tags, " ")
	}
}

// factsOfGates: the defaults of feature gates in a release.
func factsOfGates(files map[string][]byte, release string, into facts) error {
	row := regexp.MustCompile(`MustParse\("1\.(\d+)"\), Default: (true|false), PreRelease: featuregate\.(\w+)`)
	gate := regexp.MustCompile(`(?m)^\t(?:\w+\.)?(DRA\w+|DynamicResourceAllocation): \{\n((?:\t\t.*\n)+)`)
	found := 0
	for name, text := range files {
		if path.Dir(name) != features {
			continue
		}
		for _, g := range gate.FindAllSubmatch(text, -1) {
			found++
			for _, r := range row.FindAllSubmatch(g[2], -1) {
				if api.Minor("1."+string(r[1])) <= api.Minor(release) {
					into["gate "+string(g[1])] = map[string]string{
						"true": "on", "false": "off",
					}[string(r[2])] + ", " + string(r[3])
				}
			}
		}
	}
	if found == 0 {
		return errors.New("no feature gate was found: they are written in another way")
	}
	return nil
}

func factsOfFormats(files map[string][]byte, _ string, into facts) error {
	return factsOfFunctions("format", files, into)
}

func factsOfKubernetes(files map[string][]byte, release string, into facts) error {
	return errors.Join(factsOfGates(files, release, into), factsOfFunctions("function", files, into))
}

// factsOfFunctions of validation and strategies: by what they do, without comments.
func factsOfFunctions(what string, files map[string][]byte, into facts) error {
	for name, text := range files {
		if path.Dir(name) == features {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, isFunc := d.(*ast.FuncDecl)
			if isFunc && f.Body != nil && !strings.Contains(f.Name.Name, "Slice") &&
				!strings.Contains(f.Name.Name, "Class") {
				into[what+" "+path.Base(path.Dir(name))+" "+f.Name.Name] = fmt.Sprintf("%.4x",
					sha256.Sum256([]byte(source(f.Type)+source(f.Body))))
			}
		}
	}
	return nil
}

func source(node any) string {
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return b.String()
}
