package inject

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/splice"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var options = Options{Image: "example.com/claimbridge:v1", Port: 8001}

// specs of pods, as people write them.
var specs = map[string]string{
	"a container alone": `{containers: [{name: a, image: a}]}`,
	"all lists": `
      initContainers:
      - name: first # comes before
        image: a
      - name: second
        image: a
        restartPolicy: Always
      containers:
      # the program
      - name: a
        image: a
        env:
        - name: A
          value: "yes" # quoted
        ports: [{containerPort: 8080}]
        volumeMounts:
        - name: data
          mountPath: /data
      - image: b
        name: b
      volumes:
      - name: data   # last
        emptyDir: {}
      - name: claims
        hostPath: {path: /var/lib}`,
	"as root": `
      securityContext: {runAsUser: 0}
      hostNetwork: true
      tolerations: []
      containers:
        - name: a
          image: a
          resources:
            limits: {cpu: 0.50, memory: 1.0Gi}`,
}

// kinds that have pods, with the lines around one.
var kinds = map[string]string{
	"Pod":        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: %s\n",
	"Deployment": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  replicas: 1 # for now\n  template:\n    spec: %s\n",
	"DaemonSet":  "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: a}\nspec:\n  template:\n    spec: %s\n",
	"Job":        "# once\napiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template:\n    spec: %s\n",
	"CronJob":    "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  jobTemplate:\n   spec:\n    template:\n     spec: %s\n",
}

var decoder = serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()

// decoded strictly, and the pod in it.
func decoded(t *testing.T, text []byte) (runtime.Object, *corev1.PodSpec) {
	t.Helper()
	object, _, err := decoder.Decode(text, nil, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	switch o := object.(type) {
	case *corev1.Pod:
		return o, &o.Spec
	case *appsv1.Deployment:
		return o, &o.Spec.Template.Spec
	case *appsv1.DaemonSet:
		return o, &o.Spec.Template.Spec
	case *batchv1.Job:
		return o, &o.Spec.Template.Spec
	case *batchv1.CronJob:
		return o, &o.Spec.JobTemplate.Spec.Template.Spec
	}
	t.Fatalf("%T has no pod", object)
	return nil, nil
}

// edited is the text of an object after an injection.
func edited(t *testing.T, o Options, text []byte) []byte {
	t.Helper()
	d := must.Get(manifest.ParseText(text, manifest.Position{}))(t)
	raw := must.Get(d.Object(true))(t)
	var said strings.Builder
	r := Run{Options: o, log: problems.Log{W: &said}}
	wanted := r.object(raw, manifest.Position{})
	if r.log.Failed > 0 {
		t.Error(said.String())
	}
	result := must.Get(splice.Edit(text, wanted, nil))(t)
	return result.Text
}

// An injected text is the object with the same change, keeps every line, is itself when it is injected again, and comes back as it was.
func TestLawsOfInjection(t *testing.T) {
	for kind, around := range kinds {
		for name, spec := range specs {
			t.Run(name+" in a "+kind, func(t *testing.T) {
				text := fmt.Appendf(nil, around, spec)
				is := edited(t, options, text)
				want, pod := decoded(t, text)
				withSidecar(pod)
				if got, _ := decoded(t, is); !cmp.Equal(want, got) {
					t.Errorf("(-want +got)\n%s", cmp.Diff(want, got))
				}
				if name == "all lists" {
					if lost := missing(text, is); len(lost) > 0 {
						t.Errorf("lost %q in\n%s", lost, is)
					}
				}
				if again := edited(t, options, is); !bytes.Equal(is, again) {
					t.Errorf("injected again\n%s", cmp.Diff(string(is), string(again)))
				}
				remove := options
				remove.Remove = true
				if back := edited(t, remove, is); !bytes.Equal(text, back) && spec[0] == '\n' {
					t.Errorf("taken out again\n%s", cmp.Diff(string(text), string(back)))
				}
				was, _ := decoded(t, text)
				if back, _ := decoded(t, edited(t, remove, is)); !cmp.Equal(was, back) {
					t.Errorf("taken out again\n%s", cmp.Diff(was, back))
				}
			})
		}
	}
}

// missing lines of a text, in its order.
func missing(text, in []byte) (lost []string) {
	lines := slices.Collect(bytes.Lines(in))
	for line := range bytes.Lines(text) {
		i := slices.IndexFunc(lines, func(l []byte) bool { return bytes.Equal(l, line) })
		if i < 0 {
			lost = append(lost, string(line))
			continue
		}
		lines = lines[i+1:]
	}
	return lost
}

// withSidecar makes the change to a pod in types.
func withSidecar(pod *corev1.PodSpec) {
	sidecar := options.sidecar(pod)
	for _, list := range [][]corev1.Container{pod.InitContainers, pod.Containers} {
		for i := range list {
			list[i].Env = append(list[i].Env, corev1.EnvVar{Name: "KUBERNETES_SERVICE_HOST", Value: "127.0.0.1"}, corev1.EnvVar{Name: "KUBERNETES_SERVICE_PORT", Value: "8001"})
			list[i].VolumeMounts = append(list[i].VolumeMounts, corev1.VolumeMount{
				Name: "claimbridge", MountPath: "/var/run/secrets/kubernetes.io/serviceaccount", SubPath: "client", ReadOnly: true,
			})
		}
	}
	pod.InitContainers = append([]corev1.Container{sidecar}, pod.InitContainers...)
	memory := &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}
	pod.Volumes = append(pod.Volumes, corev1.Volume{Name: "claimbridge", VolumeSource: corev1.VolumeSource{EmptyDir: memory}})
}

// A newer image and another port reach every container that uses the sidecar, in its place, and its resources stay.
func TestASidecarIsBroughtUpToDate(t *testing.T) {
	text := bytes.Replace(edited(t, options, fmt.Appendf(nil, kinds["Pod"], specs["all lists"])), []byte("memory: 256Mi"), []byte("memory: 1Gi # many watches"), 1)
	newer := Options{Image: "example.com/claimbridge:v2", Port: 9001, Container: "b"}
	want := bytes.ReplaceAll(text, []byte("claimbridge:v1"), []byte("claimbridge:v2"))
	want = bytes.ReplaceAll(want, []byte("8001"), []byte("9001"))
	if diff := cmp.Diff(string(want), string(edited(t, newer, text))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A user of its own only where the pod's is root's, which the profile restricted does not let the sidecar be.
func TestTheUserOfTheSidecar(t *testing.T) {
	for spec, want := range map[string]*int64{
		`{}`: nil, `{"securityContext":{"runAsUser":1000}}`: nil, `{"securityContext":{"runAsUser":0}}`: func() *int64 { id := int64(65532); return &id }(),
	} {
		var pod corev1.PodSpec
		must.Do(t, json.Unmarshal([]byte(spec), &pod))
		if got := options.sidecar(&pod).SecurityContext.RunAsUser; !cmp.Equal(want, got) {
			t.Errorf("%s: %v, want %v", spec, got, want)
		}
	}
}
