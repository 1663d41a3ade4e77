package objects

import "reflect"

// as copies a value to another type, field by field by name, because most fields have the same names in all versions.
// It leaves out fields that the other type does not have.
func as[T any](value any) (copied T) {
	copyByName(reflect.ValueOf(&copied).Elem(), reflect.ValueOf(value))
	return copied
}

func copyByName(to, from reflect.Value) {
	switch {
	case from.Kind() == reflect.Interface:
		copyByName(to, from.Elem())
	case from.Type() == to.Type():
		to.Set(from)
	case to.Kind() == reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
			copyByName(to.Elem(), from.Elem())
		}
	case to.Kind() == reflect.Slice:
		for i := range from.Len() {
			item := reflect.New(to.Type().Elem()).Elem()
			copyByName(item, from.Index(i))
			to.Set(reflect.Append(to, item))
		}
	default: // a struct
		for i := range to.NumField() {
			if field := from.FieldByName(to.Type().Field(i).Name); field.IsValid() {
				copyByName(to.Field(i), field)
			}
		}
	}
}
