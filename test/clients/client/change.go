package main

import (
	"encoding/json"
	"fmt"
)

// change a typed object as a controller does: what the question has of its fields is read into
// those that are there, or it has one consumer more.
func (q question) change(object any) error {
	changes := q.Merge
	if q.Reserve != nil {
		data, err := json.Marshal(object)
		if err != nil {
			return err
		}
		var is struct {
			Status struct{ ReservedFor []json.RawMessage }
		}
		if err := json.Unmarshal(data, &is); err != nil {
			return err
		}
		consumers, err := json.Marshal(append(is.Status.ReservedFor, q.Reserve))
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
