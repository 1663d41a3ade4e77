//go:build node

package drivers

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
