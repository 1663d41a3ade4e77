// Package integrations runs claimbridge with kustomize, as a post-renderer of two releases of Helm, as a pre-commit
// hook and as a GitHub action. The releases of kustomize and Helm are pinned.
package integrations
