package certs

import (
	"context"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// load reads the Secret and its state. If the Secret is deleted, empty or damaged, the state is the one that this
// replica read last. save then restores it, because other replicas use it and clients trust it. A deleted Secret has no
// resourceVersion.
func (a *Shared) load(ctx context.Context) (*corev1.Secret, state, error) {
	secret, err := a.secrets.Get(ctx, a.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: a.Namespace, Name: a.Name}}, a.lastState, nil
	}
	if err != nil {
		return nil, state{}, fmt.Errorf("read the Secret %s/%s: %w", a.Namespace, a.Name, err)
	}
	s, err := parse(secret.Data)
	if err != nil {
		a.Logger.Error(err, "The Secret of the CA is invalid", "namespace", a.Namespace, "name", a.Name,
			"restored", !a.lastState.isEmpty())
	}
	if s.isEmpty() {
		s = a.lastState
	}
	return secret, s, nil
}

// save writes a state, unless the Secret has it. If several replicas write, one succeeds, and the others get a conflict
// and read again. Unrelated keys of the Secret are unchanged.
func (a *Shared) save(ctx context.Context, secret *corev1.Secret, s state) error {
	stateData, err := s.data()
	if err != nil {
		return err
	}
	data := map[string][]byte{}
	maps.Copy(data, secret.Data)
	maps.Copy(data, stateData)
	maps.DeleteFunc(data, func(_ string, value []byte) bool { return value == nil })
	if secret.ResourceVersion != "" && haveSameData(secret.Data, data) {
		return nil
	}
	secret = secret.DeepCopy()
	secret.Data = data
	if secret.ResourceVersion == "" {
		_, err = a.secrets.Create(ctx, secret, metav1.CreateOptions{FieldManager: fieldManager})
	} else {
		_, err = a.secrets.Update(ctx, secret, metav1.UpdateOptions{FieldManager: fieldManager})
	}
	switch {
	case apierrors.IsForbidden(err) && secret.ResourceVersion == "":
		return fmt.Errorf("the Secret %s/%s does not exist: create it empty, for example by applying the manifests "+
			"again: %w", a.Namespace, a.Name, err)
	case err != nil:
		return fmt.Errorf("write the Secret %s/%s: %w", a.Namespace, a.Name, err)
	}
	return nil
}
