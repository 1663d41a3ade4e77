package main

import (
	"encoding/json"
	"fmt"
)

// applyTo changes a typed object as a controller does: it decodes the fields of Merge into it, or adds the consumer of
// Reserve.
func (op operation) applyTo(object any) error {
	changes := op.Merge
	if op.Reserve != nil {
		data, err := json.Marshal(object)
		if err != nil {
			return err
		}
		var current struct {
			Status struct{ ReservedFor []json.RawMessage }
		}
		if err := json.Unmarshal(data, &current); err != nil {
			return err
		}
		consumers, err := json.Marshal(append(current.Status.ReservedFor, op.Reserve))
		if err != nil {
			return err
		}
		changes = fmt.Appendf(nil, `{"status":{"reservedFor":%s}}`, consumers)
	}
	if changes == nil {
		return nil
	}
	return json.Unmarshal(changes, object)
}
