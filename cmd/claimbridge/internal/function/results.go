package function

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// maxResults of a list. Each has some 400 bytes, so that they need less than half a megabyte beside the 16 of a list.
const maxResults = 1000

// results of a list, as the specification of functions has them.
type results struct {
	items []json.RawMessage
	all   []result
	more  int
}

type result struct {
	Message     string            `json:"message"`
	Severity    string            `json:"severity,omitempty"`
	ResourceRef *resourceRef      `json:"resourceRef,omitempty"`
	Field       *place            `json:"field,omitempty"`
	File        *place            `json:"file,omitempty"`
	Tags        map[string]string `json:"tags,omitempty"`
}

type resourceRef struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
}

// place is the path of a field, or of a file with the number of the object in it.
type place struct {
	Path  string `json:"path"`
	Index *int   `json:"index,omitempty"`
}

// add a finding. What is fixed is no result: the item says it.
func (r *results) add(f finding.Finding) {
	if f.Fixed {
		return
	}
	if len(r.all) == maxResults {
		r.more++
		return
	}
	to := result{Message: f.Message, Severity: string(f.Severity), File: r.fileOf(f.Item)}
	if f.Kind != "" {
		to.ResourceRef = &resourceRef{APIVersion: f.APIVersion, Kind: f.Kind, Namespace: f.Namespace, Name: f.Name}
	}
	if f.Field != "" {
		to.Field = &place{Path: f.Field}
	}
	if f.Rule != "" {
		to.Tags = map[string]string{"rule": f.Rule}
	}
	r.all = append(r.all, to)
}

// fileOf an item, which whoever runs functions writes into its annotations. Before kyaml 0.11 they had no "internal.".
func (r *results) fileOf(item string) *place {
	index, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(item, "items["), "]"))
	if err != nil || index < 0 || index >= len(r.items) {
		return nil
	}
	var object struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	if json.Unmarshal(r.items[index], &object) != nil {
		return nil
	}
	for _, prefix := range []string{"internal.config.kubernetes.io/", "config.kubernetes.io/"} {
		if path := object.Metadata.Annotations[prefix+"path"]; path != "" {
			at := &place{Path: path}
			if n, err := strconv.Atoi(object.Metadata.Annotations[prefix+"index"]); err == nil {
				at.Index = &n
			}
			return at
		}
	}
	return nil
}

// in a list: the list as JSON, with the results in place of those that it has.
func (r *results) in(list []byte) ([]byte, error) {
	if r.more > 0 {
		r.all = append(r.all, result{Message: fmt.Sprintf("and %d more", r.more), Severity: "info"})
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(list, &members); err != nil {
		return nil, err
	}
	delete(members, "results")
	if len(r.all) > 0 {
		var all bytes.Buffer
		encoder := json.NewEncoder(&all)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(r.all); err != nil {
			return nil, err
		}
		members["results"] = all.Bytes()
	}
	return json.Marshal(members)
}
