package metricsauth

import (
	"context"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
)

// reviewTimeout of a question with all its tries is Prometheus' own default for a whole scrape.
const reviewTimeout = 10 * time.Second

// reviewClient posts reviews of one API group, which an API server answers in the same object and never stores. It knows
// that group's types and no others.
type reviewClient struct{ client *rest.RESTClient }

func newReviewClient(config *rest.Config, client *http.Client, group schema.GroupVersion, types func(*runtime.Scheme) error) (*reviewClient, error) {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"}) // the status of an error
	if err := types(scheme); err != nil {
		return nil, err
	}
	config = rest.CopyConfig(config)
	config.APIPath, config.GroupVersion = "/apis", &group
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	made, err := rest.RESTClientForConfigAndClient(config, client)
	return &reviewClient{made}, err
}

// ask sends a review and reads the answer into another.
func (c *reviewClient) ask(ctx context.Context, resource string, review, answer runtime.Object) error {
	ctx, cancel := context.WithTimeout(ctx, reviewTimeout)
	defer cancel()
	// Two more tries within a second: a scrape that fails comes again by itself.
	backoff := wait.Backoff{Duration: 250 * time.Millisecond, Factor: 1.5, Jitter: 0.2, Steps: 3}
	var failure error
	err := wait.ExponentialBackoffWithContext(ctx, backoff, func(ctx context.Context) (bool, error) {
		failure = c.client.Post().Resource(resource).Body(review).Do(ctx).Into(answer)
		if passing(failure) {
			return false, nil
		}
		return true, failure
	})
	if failure != nil {
		return failure // says more than that the tries or the time are used up
	}
	return err
}

// passing is an error of the moment: the connection was lost, or the API server is busy.
func passing(err error) bool {
	return err != nil && (utilnet.IsConnectionReset(err) || utilnet.IsHTTP2ConnectionLost(err) ||
		apierrors.IsInternalError(err) || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err) || apierrors.IsServiceUnavailable(err))
}
