package migrate

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/variables"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/validation"
)

// rejectionSeverity returns the severity of the findings of rejectionReasons.
func (c *Converter) rejectionSeverity() findings.Severity {
	if c.Validate {
		return findings.Error
	}
	return findings.Warning
}

// rejectionReasons returns the findings that reject a converted claim, or the warnings about it with --validate=false:
// data would be lost that is preserved nowhere, or the release would reject the claim.
func (c *Converter) rejectionReasons(o *claimConversion) (all []findings.Finding) {
	if c.Validate && o.report.Incomplete != "" {
		return []findings.Finding{o.asSubject().New(findings.Error, findings.LeftoversDoNotFit, o.report.Incomplete,
			"data without a field in "+c.version+" exceeds the limit of annotations (256 KiB); convert it to a version "+
				"that has the fields, or drop it with --validate=false")}
	}
	all = c.lostDeallocation(o)
	if !o.hasTarget {
		all = slices.Concat(all, c.oversizedConfigFindings(o), c.lostNullFindings(o))
	}
	// A part of a claim is not validated, because the complete claim is not known.
	if c.To.Release == "" || c.isPartOfObject(o) || yamldoc.IsMarkdown(o.position.File) {
		return all
	}
	rejections, err := c.rejections(o)
	if err != nil {
		rejection := o.asSubject().New(c.rejectionSeverity(), findings.CannotBeConverted, "", err.Error())
		rejections = append(rejections, rejection)
	}
	isReported := func(field string) bool {
		return slices.ContainsFunc(all, func(f findings.Finding) bool { return f.Field == field })
	}
	for _, rejection := range rejections {
		if rejection.Field == "" || !isReported(rejection.Field) {
			all = append(all, rejection)
		}
	}
	return all
}

// mapValuePattern matches values of labels and annotations. API servers read a null there as an empty string.
var mapValuePattern = regexp.MustCompile(`^(?:spec\.)?metadata\.(?:labels|annotations)[.\[]`)

// lostNullFindings reports nulls that a file would lose. Null deletes a field in a patch, and in an object that is
// merged with another one, such as in the values of a chart. In a claim by itself it leaves a field unset.
func (c *Converter) lostNullFindings(o *claimConversion) (lost []findings.Finding) {
	if !bytes.Contains(o.raw, []byte("null")) {
		return nil
	}
	isMerged := c.isPartOfObject(o)
	kept := nullsIn(o.converted)
	for _, path := range nullsIn(o.raw) {
		// A path that was cut does not identify a value, so it does not show that the value was kept.
		isKept := slices.Contains(kept, path) && !strings.HasPrefix(path, truncatedPrefix)
		if isKept {
			continue
		}
		switch {
		case isMerged:
			lost = append(lost, o.asSubject().New(c.rejectionSeverity(), findings.StrategicMergePatch, path,
				"null deletes this field in a patch, and the conversion would drop it: change the apiVersion and the "+
					"fields by hand"))
		case c.InPlace && mapValuePattern.MatchString(path):
			lost = append(lost, o.asSubject().New(c.rejectionSeverity(), findings.WrongType, path,
				"is null, and must be a string"))
		}
	}
	return lost
}

func nullsIn(object []byte) (paths []string) {
	parseNode(object).walk(func(t *jsonNode) bool {
		if t.kind == jsonNull {
			paths = append(paths, t.path())
		}
		return true
	})
	return paths
}

// writeRequests returns the requests that write a claim: its creation, and then an update of its status.
func writeRequests(object []byte) []validation.Request {
	members, _, _ := objectjson.Members(object) // the conversion produces valid JSON
	requests := []validation.Request{{Operation: validation.Create, Object: object}}
	if objectjson.Find(members, "status") >= 0 {
		requests = append(requests, validation.Request{
			Operation: validation.UpdateStatus, Object: object, OldObject: without(members, "status"),
		})
	}
	return requests
}

// without returns an object without some of its members.
func without(members []objectjson.Member, names ...string) []byte {
	return yamldoc.AppendObject(nil, slices.DeleteFunc(slices.Clone(members), func(m objectjson.Member) bool {
		return slices.Contains(names, m.Name)
	}))
}

// rejections returns the errors of the rules of the release: for the creation of a claim, and then for its status.
// Those that depend on the value of a variable are left out.
func (c *Converter) rejections(o *claimConversion) (all []findings.Finding, err error) {
	typed := c.movedVariables(o)
	for _, request := range writeRequests(variables.Replace(o.converted)) {
		result, err := release.Validate(request, c.version, c.To.Release)
		if err != nil {
			return all, err
		}
		if request.Operation == validation.Create {
			header, err := conversion.ReadHeader(request.Object)
			if err != nil {
				return all, err
			}
			metadata, err := release.ValidateMetadata(request, header)
			if err != nil {
				return all, err
			}
			result.Errors = append(metadata, result.Errors...)
		}
		for _, e := range variables.WithoutErrorsOnVariables(result.Errors, o.converted, typed...) {
			before := "Kubernetes " + c.To.Release + " would reject "
			all = append(all, o.asSubject().FromRejection(c.rejectionSeverity(), before, e))
		}
	}
	return all, nil
}

// droppedFields returns warnings about fields that the API server of the release drops, if there is a release. They may
// be the reason why a claim is rejected.
func (c *Converter) droppedFields(o *claimConversion) (all []findings.Finding) {
	if c.To.Release == "" {
		return nil
	}
	for _, request := range writeRequests(o.converted) {
		// An update keeps a field with a feature gate if the old object has it. Here it never has it: its creation
		// dropped the field.
		request.OldObject = nil
		texts, _ := release.DroppedFields(request, c.To.Release)
		for _, text := range texts {
			field, why, _ := strings.Cut(text, ": ")
			all = append(all, o.asSubject().New(findings.Warning, findings.FieldDroppedByRelease, field, why))
		}
	}
	return all
}
