"""Uses claims with the dynamic and the custom objects API of the official Python client: claims.py VERSION NAMESPACE."""
import json
import sys

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException

GROUP = 'resource.k8s.io'
version, namespace = sys.argv[1:]
config.load_kube_config()


def claim(name):
    device = {'deviceClassName': 'gpu.example.com'}
    request = {'name': 'gpu', **device} if version == 'v1beta1' else {'name': 'gpu', 'exactly': device}
    return {'apiVersion': f'{GROUP}/{version}', 'kind': 'ResourceClaim', 'metadata': {'name': name, 'namespace': namespace},
            'spec': {'devices': {'requests': [request]}}}


def check_equal(got, want):
    if got != want:
        raise SystemExit(f'want {want!r}, got {got!r}')


def check_rejected(code, call):
    try:
        call()
    except ApiException as e:
        check_equal(e.status, code)
    else:
        raise SystemExit(f'want status {code}, but the call succeeded')


def by_dynamic_client():
    claims = dynamic.DynamicClient(client.ApiClient()).resources.get(api_version=f'{GROUP}/{version}', kind='ResourceClaim')
    created = claims.create(body=claim('dynamic'), namespace=namespace)
    check_equal(created.spec.devices.requests[0].name, 'gpu')
    check_rejected(409, lambda: claims.create(body=claim('dynamic'), namespace=namespace))
    check_equal([c.metadata.name for c in claims.get(namespace=namespace).items], ['dynamic'])
    patch = {'metadata': {'labels': {'a': 'b'}}}
    for content in ['application/strategic-merge-patch+json', 'application/merge-patch+json']:
        check_equal(claims.patch(body=patch, name='dynamic', namespace=namespace, content_type=content).metadata.labels.a, 'b')
    # As text: clients such as 22.6 cannot send a dict as an apply patch.
    applied = claims.server_side_apply(body=json.dumps(claim('dynamic')), name='dynamic', namespace=namespace, field_manager='python', force_conflicts=True)
    check_equal(applied.apiVersion, f'{GROUP}/{version}')
    for event in claims.watch(namespace=namespace, timeout=30):
        check_equal((event['type'], event['object'].metadata.name, event['object'].apiVersion), ('ADDED', 'dynamic', f'{GROUP}/{version}'))
        break
    stored = claims.get(name='dynamic', namespace=namespace).to_dict()
    stored['metadata']['labels'] = {'c': 'd'}
    check_equal(claims.replace(body=stored, namespace=namespace).metadata.labels.c, 'd')
    check_rejected(409, lambda: claims.replace(body=stored, namespace=namespace))
    claims.delete(name='dynamic', namespace=namespace)
    check_rejected(404, lambda: claims.get(name='dynamic', namespace=namespace))


def by_custom_objects():
    api, collection = client.CustomObjectsApi(), (GROUP, version, namespace, 'resourceclaims')
    created = api.create_namespaced_custom_object(*collection, claim('custom'))
    check_equal((created['apiVersion'], created['spec']['devices']['requests'][0]['name']), (f'{GROUP}/{version}', 'gpu'))
    check_equal([c['metadata']['name'] for c in api.list_namespaced_custom_object(*collection)['items']], ['custom'])
    check_equal(api.patch_namespaced_custom_object(*collection, 'custom', {'metadata': {'labels': {'a': 'b'}}})['metadata']['labels'], {'a': 'b'})
    for event in watch.Watch().stream(api.list_namespaced_custom_object, *collection, timeout_seconds=30):
        check_equal((event['type'], event['object']['metadata']['name']), ('ADDED', 'custom'))
        break
    stored = api.get_namespaced_custom_object(*collection, 'custom')
    stored['metadata']['labels'] = {'c': 'd'}
    check_equal(api.replace_namespaced_custom_object(*collection, 'custom', stored)['metadata']['labels'], {'c': 'd'})
    check_rejected(409, lambda: api.replace_namespaced_custom_object(*collection, 'custom', stored))
    check_equal(api.get_namespaced_custom_object_status(*collection, 'custom')['apiVersion'], f'{GROUP}/{version}')
    api.delete_namespaced_custom_object(*collection, 'custom')
    check_rejected(404, lambda: api.get_namespaced_custom_object(*collection, 'custom'))


by_dynamic_client()
by_custom_objects()
