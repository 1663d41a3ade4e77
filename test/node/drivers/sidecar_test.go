//go:build node

package drivers

// sidecar of the page on the bridge, as operations on the driver's DaemonSet, which has no other init container.
const sidecar = `[
{"op":"add","path":"/spec/template/spec/volumes/-","value":{"name":"claimbridge","emptyDir":{"medium":"Memory"}}},
{"op":"add","path":"/spec/template/spec/initContainers","value":[{
  "name":"claimbridge","image":"ghcr.io/claimbridge/claimbridge:v0.2.0","args":["proxy","--in-cluster=/run/claimbridge","--port=8001"],"restartPolicy":"Always",
  "startupProbe":{"exec":{"command":["/claimbridge","proxy","ready","--in-cluster=/run/claimbridge","--port=8001"]},"periodSeconds":1,"failureThreshold":60},
  "volumeMounts":[{"name":"claimbridge","mountPath":"/run/claimbridge"}]}]},
{"op":"add","path":"/spec/template/spec/containers/0/env/-","value":{"name":"KUBERNETES_SERVICE_HOST","value":"127.0.0.1"}},
{"op":"add","path":"/spec/template/spec/containers/0/env/-","value":{"name":"KUBERNETES_SERVICE_PORT","value":"8001"}},
{"op":"add","path":"/spec/template/spec/containers/0/volumeMounts/-","value":{
  "name":"claimbridge","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","subPath":"client","readOnly":true}}]`

// policy for the driver, as its own chart has one: it writes slices of the node that its pod is on, which the token of the pod tells.
const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: slices-of-its-node}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - {apiGroups: [resource.k8s.io], apiVersions: ["*"], operations: [CREATE, UPDATE, DELETE], resources: [resourceslices]}
  matchConditions:
  - {name: the-driver, expression: 'request.userInfo.username == "system:serviceaccount:dra-example-driver:dra-example-driver"'}
  variables:
  - {name: node, expression: "request.userInfo.?extra[?'authentication.kubernetes.io/node-name'][0].orValue('')"}
  validations:
  - expression: >-
      variables.node != '' && (request.operation == 'DELETE' ? oldObject : object).spec.?nodeName.orValue('') == variables.node
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: slices-of-its-node}
spec: {policyName: slices-of-its-node, validationActions: [Deny]}
`
