package transcode

import (
	"bytes"
	"errors"

	"go.yaml.in/yaml/v3"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// parsingYAML holds a value while a body of YAML is parsed. One of [maxItems] lines takes some 50 MiB and a second of
// processor time, so bodies are parsed one at a time: a few of them would be more than the memory of a sidecar.
var parsingYAML = make(chan struct{}, 1)

// parseYAML calls parse for a body that is not greater than it looks, and for no other one at the same time.
func (c *call) parseYAML(body []byte, parse func() error) error {
	select {
	case parsingYAML <- struct{}{}:
	case <-c.r.Context().Done():
		return c.r.Context().Err()
	}
	defer func() { <-parsingYAML }()
	if err := tooManyAliases(body); err != nil {
		return err
	}
	return parse()
}

// tooManyAliases is the error of YAML that is greater than a body may be when each alias stands for
// what it names: a line of them makes gigabytes of a body. What cannot be parsed is left to the
// reader, unless it may have some.
func tooManyAliases(body []byte) error {
	if !bytes.ContainsRune(body, '*') {
		return nil
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
