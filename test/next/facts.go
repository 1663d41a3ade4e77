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
	"pkg/apis/resource/v1beta1", "pkg/apis/resource/v1beta2",
	"pkg/registry/resource",
	"pkg/registry/resource/resourceclaim",
	"pkg/registry/resource/resourceclaimtemplate",
	"pkg/api/resourceclaimspec",
	"pkg/apis/core/validation", "pkg/apis/meta/v1/validation", "pkg/registry/rest",
	"pkg/cel/environment", "pkg/cel/library", "cel",
}

// shared are folders with functions of all kinds of objects, and those of them that claims use.
var shared = map[string]*regexp.Regexp{
	"pkg/apis/core/validation": regexp.MustCompile(`^(Validate|validate)?(NodeSelector|NodeField|CSIDriverName|` +
		`TemplateObjectMeta|DNS1123)`),
	"pkg/apis/meta/v1/validation": regexp.MustCompile(`Label|Condition|FieldManager|ManagedFields`),
	"pkg/registry/rest":           regexp.MustCompile(`[vV]alidat`),
}

// unseen is what a change of claims may be in, and this program does not read.
const unseen = `Not compared: functions that these call in other packages (validation of names, parsing of quantities),
conversion and defaults, the protocol of the API server, the scheduler, the kubelet, and comments without a tag.
`

// others are types of the group that no claim has.
var others = regexp.MustCompile(`^(DeviceClass$|DeviceClass[SCL]|ResourceSlice|ResourcePool|BasicDevice|Device$|` +
	`DeviceTaint(Rule|Selector|$)|DeviceAttribute|DeviceCapacity|DeviceCounter|Counter|` +
	`CapacityRequestPolicy|NodeAllocatable)`)

// factsOfTypes: fields, tags of validation, constants, calls of generated validation, and when a version ends.
func factsOfTypes(files map[string][]byte, _ string, into facts) error {
	removed := regexp.MustCompile(`func \(in \*ResourceClaim\) APILifecycleRemoved\(\) \(major, minor int\) ` +
		`\{\s+return (\d+), (\d+)`)
	for name, text := range files {
		if path.Ext(name) != ".go" {
			continue
		}
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
				if d.Tok == token.CONST {
					factsOfConstants(version, d, into)
				}
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
				factOfCheck(version, d, into)
			}
		}
	}
	return nil
}

// factsOfConstants of types: limits, and values of enumerations.
func factsOfConstants(version string, d *ast.GenDecl, into facts) {
	for _, spec := range d.Specs {
		values := spec.(*ast.ValueSpec) //nolint:forcetypeassert // a constant has no other
		for i, name := range values.Names {
			if i < len(values.Values) && !others.MatchString(name.Name) {
				into["constant "+version+" "+name.Name] = source(values.Values[i])
			}
		}
	}
}

// factOfCheck is what generated validation of a type calls.
func factOfCheck(version string, d *ast.FuncDecl, into facts) {
	of, isCheck := strings.CutPrefix(d.Name.Name, "Validate_")
	if isCheck && !others.MatchString(of) {
		into["check "+version+" "+of] = strings.Join(checks.FindAllString(source(d.Body), -1), " ")
	}
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
	row := regexp.MustCompile(
		`MustParse\("1\.(\d+)"\), Default: (true|false), PreRelease: featuregate\.(\w+)(, LockToDefault: true)?`)
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
					state := map[string]string{"true": "on", "false": "off"}[string(r[2])] + ", " + string(r[3])
					if len(r[4]) > 0 {
						state += ", locked"
					}
					into["gate "+string(g[1])] = state
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

// factsOfExpressions: what compiles expressions and estimates their costs, and the version of CEL.
func factsOfExpressions(files map[string][]byte, _ string, into facts) error {
	module := regexp.MustCompile(`(?m)^\t((?:github.com/google|cel.dev)/cel-go) (\S+)$`)
	for _, m := range module.FindAllSubmatch(files["go.mod"], -1) {
		into["module CEL"] = string(m[1]) + " " + string(m[2])
	}
	return factsOfFunctions("expression", files, into)
}

// skipped are functions about slices and classes alone. A name like validateSlice is of lists.
var skipped = regexp.MustCompile(`ResourceSlice|DeviceClass|^Test|ResourcePool`)

// factsOfFunctions of validation and strategies: by what they do, without comments. Methods of several types may have
// one name.
func factsOfFunctions(what string, files map[string][]byte, into facts) error {
	for name, text := range files {
		folder := path.Dir(name)
		if folder == features || path.Ext(name) != ".go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, isFunc := d.(*ast.FuncDecl)
			if !isFunc {
				continue
			}
			if strings.HasPrefix(folder, "pkg/apis/resource/v1") { // of which only generated validation is of interest
				factOfCheck(path.Base(folder), f, into)
				continue
			}
			name := methodName(f)
			used := shared[folder]
			if f.Body == nil || skipped.MatchString(name) || used != nil && !used.MatchString(f.Name.Name) {
				continue
			}
			into[what+" "+path.Base(folder)+" "+name] = fmt.Sprintf("%.4x",
				sha256.Sum256([]byte(source(f.Type)+source(f.Body))))
		}
	}
	return nil
}

// methodName is the name of a function, behind that of the type that it is a method of.
func methodName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := strings.TrimPrefix(source(f.Recv.List[0].Type), "*")
	return receiver + "." + f.Name.Name
}

func source(node any) string {
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return b.String()
}
