package main

import (
	"bytes"
	"encoding/json"
)

// changed is a typed object with a merge patch and one consumer more.
func changed[T any](object *T, merge, reserve json.RawMessage) (*T, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	value, err := withNumbers(data)
	if err != nil {
		return nil, err
	}
	if merge != nil {
		patch, err := withNumbers(merge)
		if err != nil {
			return nil, err
		}
		value = merged(value, patch)
	}
	if reserve != nil {
		consumer, err := withNumbers(reserve)
		if err != nil {
			return nil, err
		}
		status, _ := value.(map[string]any)["status"].(map[string]any)
		consumers, _ := status["reservedFor"].([]any)
		status["reservedFor"] = append(consumers, consumer)
	}
	if data, err = json.Marshal(value); err != nil {
		return nil, err
	}
	return decoded[T](data)
}

// merged as RFC 7386 has it.
func merged(value, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, ok := value.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for name, change := range changes {
		if change == nil {
			delete(object, name)
		} else {
			object[name] = merged(object[name], change)
		}
	}
	return object
}

// withNumbers of any length: drivers' parameters have them, and a float64 would change them.
func withNumbers(data []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}
