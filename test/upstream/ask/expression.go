package ask

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Expression compiles the CEL expression of a selector or a derived attribute, and returns the estimate of its cost, or
// the reason to reject it. The output has the create of a claim with the expression, for test/oracle.
func Expression(expression string, isAttribute bool) (cost uint64, problem, err error) {
	claim, err := claimWith(expression, isAttribute)
	if err != nil {
		return 0, nil, err
	}
	fmt.Printf("\n%s{\"operation\":\"create\",\"object\":%s}\n", mark, claim)
	question, err := json.Marshal(map[string]any{"expression": expression, "isAttribute": isAttribute})
	if err != nil {
		return 0, nil, err
	}
	var answer struct {
		Problem string `json:"problem"`
		Cost    uint64 `json:"cost"`
	}
	if err := post("/expression", question, &answer); err != nil {
		return 0, nil, err
	}
	if answer.Problem != "" {
		problem = errors.New(answer.Problem)
	}
	return answer.Cost, problem, nil
}

// claimWith returns a claim with an expression, in the newest version that the release serves.
func claimWith(expression string, isAttribute bool) ([]byte, error) {
	type object = map[string]any
	exactly := object{
		"deviceClassName": "class",
		"selectors":       []object{{"cel": object{"expression": expression}}},
	}
	if isAttribute {
		delete(exactly, "selectors")
		exactly["derivedAttributes"] = []object{{"name": "example.com/a", "expression": expression}}
	}
	request := object{"name": "request", "exactly": exactly}
	version := newestVersion()
	if version == "v1alpha3" || version == "v1beta1" {
		request = exactly
		request["name"] = "request"
	}
	return json.Marshal(object{
		"apiVersion": "resource.k8s.io/" + version,
		"kind":       "ResourceClaim",
		"metadata":   object{"name": "claim", "namespace": "default"},
		"spec":       object{"devices": object{"requests": []object{request}}},
	})
}
