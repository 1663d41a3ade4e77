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

// folders are the packages of the modules that define, validate or store claims.
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

// functionsForClaims matches the functions for claims in packages that validate all kinds of objects.
var functionsForClaims = map[string]*regexp.Regexp{
	"pkg/apis/core/validation": regexp.MustCompile(`^(Validate|validate)?(NodeSelector|NodeField|CSIDriverName|` +
		`TemplateObjectMeta|DNS1123)`),
	"pkg/apis/meta/v1/validation": regexp.MustCompile(`Label|Condition|FieldManager|ManagedFields`),
	"pkg/registry/rest":           regexp.MustCompile(`[vV]alidat`),
}

// notCompared is a note on the code that may change claims, and that this program does not read.
const notCompared = `
Not compared: functions that these call in other packages (validation of names, parsing of quantities),
conversion and defaults, the protocol of the API server, the scheduler, the kubelet, and comments without a tag.
`

// unrelatedTypes matches types of the API group that claims do not contain, and constants of these types.
var unrelatedTypes = regexp.MustCompile(`^(` +
	`DeviceClass$|DeviceClass[SCL]|ResourceSlice|ResourcePool|BasicDevice|Device$|` +
	`DeviceTaint(Rule|Selector|$)|DeviceAttribute|DeviceCapacity|DeviceCounter|Counter|` +
	`CapacityRequestPolicy|NodeAllocatable)`)

// addTypes adds fields, validation tags, constants, the checks of generated validation, and the release that removes a
// version.
func (f facts) addTypes(files map[string][]byte, _ string) error {
	removed := regexp.MustCompile(`func \(in \*ResourceClaim\) APILifecycleRemoved\(\) \(major, minor int\) ` +
		`\{\s+return (\d+), (\d+)`)
	for name, text := range files {
		if path.Ext(name) != ".go" {
			continue
		}
		version := path.Base(path.Dir(name))
		if m := removed.FindSubmatch(text); m != nil {
			f["end of "+version] = fmt.Sprintf("%s.%s", m[1], m[2])
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				if d.Tok == token.CONST {
					f.addConstants(version, d)
				}
				for _, spec := range d.Specs {
					t, isType := spec.(*ast.TypeSpec)
					if !isType || path.Base(name) != "types.go" || unrelatedTypes.MatchString(t.Name.Name) {
						continue
					}
					if s, isStruct := t.Type.(*ast.StructType); isStruct {
						f.addFields(version+" "+t.Name.Name, s)
					}
				}
			case *ast.FuncDecl:
				f.addCheck(version, d)
			}
		}
	}
	return nil
}

// addConstants adds limits, and values of enumerations.
func (f facts) addConstants(version string, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		values := spec.(*ast.ValueSpec) //nolint:forcetypeassert // the only type of a constant
		for i, name := range values.Names {
			if i < len(values.Values) && !unrelatedTypes.MatchString(name.Name) {
				f["constant "+version+" "+name.Name] = source(values.Values[i])
			}
		}
	}
}

// addCheck adds the calls in a function that validates a type, if it is one of generated validation.
func (f facts) addCheck(version string, d *ast.FuncDecl) {
	typeName, isGenerated := strings.CutPrefix(d.Name.Name, "Validate_")
	if isGenerated && !unrelatedTypes.MatchString(typeName) {
		f["check "+version+" "+typeName] = strings.Join(validationCall.FindAllString(source(d.Body), -1), " ")
	}
}

// validationCall matches a call in generated validation, a limit in its arguments, or a feature gate.
var validationCall = regexp.MustCompile(`validate\.(?:Optional|Required|Max|Min|Resource|Long|Short|Label|UUID|` +
	`Update|NoModify|Enum|Union|IfOption|Each|ValSlice)\w*|, \d+\)|"DRA\w+"`)

// addFields adds the types and the validation tags of the fields of a struct.
func (f facts) addFields(typeName string, s *ast.StructType) {
	for _, field := range s.Fields.List {
		if field.Tag == nil {
			continue
		}
		jsonName, _, _ := strings.Cut(reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json"), ",")
		name := typeName + "." + jsonName
		f["field "+name] = source(field.Type)
		var tags []string
		for line := range strings.Lines(field.Doc.Text()) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "+") && !slices.Contains(tags, line) {
				tags = append(tags, strings.ReplaceAll(line, "|", `\|`))
			}
		}
		f["tags "+name] = strings.Join(tags, " ")
	}
}

// addGates adds the defaults of feature gates in a release.
func (f facts) addGates(files map[string][]byte, release string) error {
	row := regexp.MustCompile(
		`MustParse\("1\.(\d+)"\), Default: (true|false), PreRelease: featuregate\.(\w+)(, LockToDefault: true)?`)
	gate := regexp.MustCompile(`(?m)^\t(?:\w+\.)?(DRA\w+|DynamicResourceAllocation): \{\n((?:\t\t.*\n)+)`)
	count := 0
	for name, text := range files {
		if path.Dir(name) != features {
			continue
		}
		for _, g := range gate.FindAllSubmatch(text, -1) {
			count++
			for _, r := range row.FindAllSubmatch(g[2], -1) {
				if api.Minor("1."+string(r[1])) > api.Minor(release) {
					continue
				}
				state := map[string]string{"true": "on", "false": "off"}[string(r[2])] + ", " + string(r[3])
				if len(r[4]) > 0 {
					state += ", locked"
				}
				f["gate "+string(g[1])] = state
			}
		}
	}
	if count == 0 {
		return errors.New("no feature gate found: the format of the table in " + features + " changed")
	}
	return nil
}

// addFormats adds functions that validate formats, such as names.
func (f facts) addFormats(files map[string][]byte, _ string) error {
	return f.addFunctions("format", files)
}

// addGatesAndFunctions adds feature gates, and functions of validation and strategies.
func (f facts) addGatesAndFunctions(files map[string][]byte, release string) error {
	return errors.Join(f.addGates(files, release), f.addFunctions("function", files))
}

// addExpressions adds functions that compile expressions or estimate their costs, and the version of CEL.
func (f facts) addExpressions(files map[string][]byte, _ string) error {
	module := regexp.MustCompile(`(?m)^\t((?:github.com/google|cel.dev)/cel-go) (\S+)$`)
	for _, m := range module.FindAllSubmatch(files["go.mod"], -1) {
		f["module CEL"] = string(m[1]) + " " + string(m[2])
	}
	return f.addFunctions("expression", files)
}

// unrelatedFunctions matches functions for ResourceSlices and DeviceClasses. It does not match validateSlice, which is
// about lists.
var unrelatedFunctions = regexp.MustCompile(`ResourceSlice|DeviceClass|^Test|ResourcePool`)

// addFunctions adds hashes of functions without their comments. The names of methods include their types, because
// several types may have methods of the same name.
func (f facts) addFunctions(kind string, files map[string][]byte) error {
	for fileName, text := range files {
		folder := path.Dir(fileName)
		if folder == features || path.Ext(fileName) != ".go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), fileName, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			function, isFunction := d.(*ast.FuncDecl)
			if !isFunction {
				continue
			}
			if strings.HasPrefix(folder, "pkg/apis/resource/v1") {
				f.addCheck(path.Base(folder), function) // the other functions convert and set defaults
				continue
			}
			name := methodName(function)
			forClaims := functionsForClaims[folder]
			if function.Body == nil || unrelatedFunctions.MatchString(name) ||
				forClaims != nil && !forClaims.MatchString(function.Name.Name) {
				continue
			}
			hash := sha256.Sum256([]byte(source(function.Type) + source(function.Body)))
			f[kind+" "+path.Base(folder)+" "+name] = fmt.Sprintf("%.4x", hash)
		}
	}
	return nil
}

// methodName returns the name of a function. For a method, it includes the type of the receiver, as in
// claimStrategy.Validate.
func methodName(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return function.Name.Name
	}
	receiver := strings.TrimPrefix(source(function.Recv.List[0].Type), "*")
	return receiver + "." + function.Name.Name
}

// source returns the formatted source of a node, without comments.
func source(node any) string {
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return b.String()
}
