package transcode

import (
	"bytes"
	"errors"

	"go.yaml.in/yaml/v3"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// tooManyAliases is the error of YAML that is greater than a body may be when each alias stands for what it names: a line of them makes
// gigabytes of a body. What cannot be parsed is left to the reader, unless it may have some.
func tooManyAliases(body []byte) error {
	if !bytes.ContainsRune(body, '*') {
		return nil
	}
	if err := notTooMany(bytes.Count(body, []byte("\n"))); err != nil {
		return err
	}
	var document yaml.Node
	err := yaml.Unmarshal(body, &document)
	if err == nil && (sizes{}).of(&document) > maxBody {
		err = errors.New("yaml: document contains excessive aliasing")
	}
	if err != nil {
		return apierrors.NewBadRequest("error converting YAML to JSON: " + err.Error())
	}
	return nil
}

// sizes in bytes of what was read, and no more than one beyond maxBody.
type sizes map[*yaml.Node]int

func (s sizes) of(n *yaml.Node) int {
	if n.Kind == yaml.AliasNode {
		return s[n.Alias]
	}
	size := len(n.Value) + 1
	s[n] = maxBody + 1 // until it is known: of an alias in itself
	for _, child := range n.Content {
		size = min(size+s.of(child), maxBody+1)
	}
	s[n] = size
	return size
}
