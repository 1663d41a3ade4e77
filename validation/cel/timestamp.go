package cel

import (
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// lenientTimestamps replaces the conversion of text to a timestamp. CEL from v0.30 on accepts only strict RFC 3339.
// Every release of Kubernetes accepts what Go's time.Parse accepts, such as an hour of one digit: those up to 1.37
// contain an earlier version of CEL, and 1.38 turns the strictness off (k8s.io/apiserver/pkg/cel/environment).
func lenientTimestamps() cel.EnvOption {
	return cel.Function(overloads.TypeConvertTimestamp,
		cel.Overload(overloads.StringToTimestamp, []*cel.Type{cel.StringType}, cel.TimestampType,
			cel.UnaryBinding(parseTimestamp)))
}

// firstTimestamp and lastTimestamp are the limits of CEL, in seconds since 1970: the years 1 to 9999.
const (
	firstTimestamp = -62_135_596_800
	lastTimestamp  = 253_402_300_799
)

func parseTimestamp(value ref.Val) ref.Val {
	text, isText := value.Value().(string)
	if !isText {
		return types.MaybeNoSuchOverloadErr(value)
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return types.NewErr("type conversion error from 'string' to 'google.protobuf.Timestamp'")
	}
	if seconds := t.Unix(); seconds < firstTimestamp || seconds > lastTimestamp {
		return types.NewErr("timestamp overflow")
	}
	return types.Timestamp{Time: t}
}
