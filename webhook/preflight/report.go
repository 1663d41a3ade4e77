package preflight

import "slices"

// report takes down what one check finds.
type report struct {
	severity Severity // of the check
	findings []Finding
}

// problem is a finding of the check's own severity.
func (r *report) problem(object Object, what string, remedy remedy) {
	r.add(r.severity, object, what, remedy)
}

// warn of something that is less than the check's own severity.
func (r *report) warn(object Object, what string, remedy remedy) {
	r.add(Warning, object, what, remedy)
}

// unknown is what could not be looked at.
func (r *report) unknown(object Object, what string, remedy remedy) {
	r.add(Unknown, object, what, remedy)
}

func (r *report) add(severity Severity, object Object, what string, remedy remedy) {
	r.findings = append(r.findings, Finding{severity, object, oneLine(what), oneLine(remedy.text), remedy.command})
}

// once for each object, whatever fails by it.
func (r *report) once(object Object, what string, remedy remedy) {
	if !slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Object == object && f.Severity == r.severity }) {
		r.problem(object, what, remedy)
	}
}
