package validation

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/claimbridge/claimbridge/conversion"
)

// decode reads JSON as kube-apiserver does, and returns the object as the server has it then. Unknown and duplicate
// fields are dropped: to report them is the business of whoever read the object. What is left of them in the bytes must
// not count as content either, so such an object is written anew; opaque parameters keep their bytes.
func decode(data []byte, into any) (object []byte, dropped bool, err error) {
	unknown, err := conversion.Decode(data, into)
	if err != nil || len(unknown) == 0 {
		return data, false, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(into); err != nil {
		return nil, true, fmt.Errorf("writing the object without what an API server drops: %w", err)
	}
	return bytes.TrimSpace(out.Bytes()), true, nil
}
