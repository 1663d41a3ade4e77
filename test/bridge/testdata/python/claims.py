"""Claims by the official Python client, in the two ways that need no classes of the version: claims.py VERSION NAMESPACE."""
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


def same(got, want):
    if got != want:
        raise SystemExit(f'want {want!r}, got {got!r}')


def refused(code, call):
    try:
        call()
    except ApiException as e:
        same(e.status, code)
    else:
        raise SystemExit(f'want {code}, was done')


def by_dynamic_client():
    claims = dynamic.DynamicClient(client.ApiClient()).resources.get(api_version=f'{GROUP}/{version}', kind='ResourceClaim')
    made = claims.create(body=claim('dynamic'), namespace=namespace)
    same(made.spec.devices.requests[0].name, 'gpu')
    refused(409, lambda: claims.create(body=claim('dynamic'), namespace=namespace))
    same([c.metadata.name for c in claims.get(namespace=namespace).items], ['dynamic'])
    patch = {'metadata': {'labels': {'a': 'b'}}}
    for content in ['application/strategic-merge-patch+json', 'application/merge-patch+json']:
        same(claims.patch(body=patch, name='dynamic', namespace=namespace, content_type=content).metadata.labels.a, 'b')
    # As text: clients such as 22.6 cannot send a dict as an apply patch.
    applied = claims.server_side_apply(body=json.dumps(claim('dynamic')), name='dynamic', namespace=namespace, field_manager='python', force_conflicts=True)
    same(applied.apiVersion, f'{GROUP}/{version}')
    for event in claims.watch(namespace=namespace, timeout=30):
        same((event['type'], event['object'].metadata.name, event['object'].apiVersion), ('ADDED', 'dynamic', f'{GROUP}/{version}'))
        break
    whole = claims.get(name='dynamic', namespace=namespace).to_dict()
    whole['metadata']['labels'] = {'c': 'd'}
    same(claims.replace(body=whole, namespace=namespace).metadata.labels.c, 'd')
    refused(409, lambda: claims.replace(body=whole, namespace=namespace))
    claims.delete(name='dynamic', namespace=namespace)
    refused(404, lambda: claims.get(name='dynamic', namespace=namespace))


def by_custom_objects():
    api, where = client.CustomObjectsApi(), (GROUP, version, namespace, 'resourceclaims')
    made = api.create_namespaced_custom_object(*where, claim('custom'))
    same((made['apiVersion'], made['spec']['devices']['requests'][0]['name']), (f'{GROUP}/{version}', 'gpu'))
    same([c['metadata']['name'] for c in api.list_namespaced_custom_object(*where)['items']], ['custom'])
    same(api.patch_namespaced_custom_object(*where, 'custom', {'metadata': {'labels': {'a': 'b'}}})['metadata']['labels'], {'a': 'b'})
    for event in watch.Watch().stream(api.list_namespaced_custom_object, *where, timeout_seconds=30):
        same((event['type'], event['object']['metadata']['name']), ('ADDED', 'custom'))
        break
    whole = api.get_namespaced_custom_object(*where, 'custom')
    whole['metadata']['labels'] = {'c': 'd'}
    same(api.replace_namespaced_custom_object(*where, 'custom', whole)['metadata']['labels'], {'c': 'd'})
    refused(409, lambda: api.replace_namespaced_custom_object(*where, 'custom', whole))
    same(api.get_namespaced_custom_object_status(*where, 'custom')['apiVersion'], f'{GROUP}/{version}')
    api.delete_namespaced_custom_object(*where, 'custom')
    refused(404, lambda: api.get_namespaced_custom_object(*where, 'custom'))


by_dynamic_client()
by_custom_objects()
