package objects

import "reflect"

// as is a value in another type: field by field by its name, since versions call most things alike.
// What has no name there is left out.
func as[T any](value any) (to T) {
	put(reflect.ValueOf(&to).Elem(), reflect.ValueOf(value))
	return to
}

func put(to, from reflect.Value) {
	switch {
	case from.Kind() == reflect.Interface:
		put(to, from.Elem())
	case from.Type() == to.Type():
		to.Set(from)
	case to.Kind() == reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
			put(to.Elem(), from.Elem())
		}
	case to.Kind() == reflect.Slice:
		for i := range from.Len() {
			item := reflect.New(to.Type().Elem()).Elem()
			put(item, from.Index(i))
			to.Set(reflect.Append(to, item))
		}
	default: // a struct
		for i := range to.NumField() {
			if field := from.FieldByName(to.Type().Field(i).Name); field.IsValid() {
				put(to.Field(i), field)
			}
		}
	}
}
