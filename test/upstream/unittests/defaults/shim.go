// Package defaults takes the place of Kubernetes' pkg/api/legacyscheme in the tests of defaults in pkg/apis/resource.
// test/oracle adds their files, which are in the module cache, in a folder for each version. The tests encode and
// decode an object. The decoder gets the defaults from claimbridge.
package defaults

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/claimbridge/claimbridge/test/upstream/ask"
)

// Scheme is that of Kubernetes. The tests convert between its types.
var Scheme = legacyscheme.Scheme

// Codecs are those of Kubernetes, with defaults of claimbridge.
var Codecs codecs

type codecs struct{}

func (codecs) LegacyCodec(version schema.GroupVersion) runtime.Codec {
	return codec{legacyscheme.Codecs.LegacyCodec(version)}
}

type codec struct{ runtime.Codec }

func (codec) Decode(
	data []byte, _ *schema.GroupVersionKind, _ runtime.Object,
) (runtime.Object, *schema.GroupVersionKind, error) {
	object, err := ask.Defaults(data)
	return object, nil, err
}
