import type { CommandLineRow } from './judge-verbs.ts'

/** Command lines of services that share the verb table; a row says only what is different. */
export const COMMAND_LINE_ROWS: readonly (readonly [names: string, row: CommandLineRow])[] = [
  [
    'az doctl linode-cli hcloud ibmcloud oci aliyun scw vultr-cli exo civo flyctl fly heroku render surge sam cdk cdktf sls serverless eb copilot pscale supabase neonctl turso planetscale flarectl dokku cf',
    {},
  ],
  [
    'vercel netlify railway wrangler firebase amplify',
    { verbs: { run: 'link run emulators:exec emulators:start codegen', publish: 'publish' } },
  ],
  ['gcloud', { groups: 'run storage' }],
  [
    'vault consul nomad boundary waypoint packer etcdctl',
    {
      verbs: {
        read: 'token-lookup catalog members',
        change: 'write unseal',
        stop: 'step-down restore',
      },
    },
  ],
  [
    'bw lastpass lpass pass gopass keepassxc-cli 1password sops age teller',
    { verbs: { read: 'generate -d --decrypt', change: 'rotate -i', stop: '-r --rotate' } },
  ],
  [
    'pulumi',
    {
      verbs: {
        read: 'stack about',
        change: 'import',
        publish: 'up',
      },
    },
  ],
  [
    'airflow celery dbt prefect dagster mlflow meltano confluent ksql twine argo ctr crictl skopeo crane oras regctl cosign kubeseal krew gitlab-ctl gitlab-rails gitlab-rake logcli k6 newman saml2aws ecs-cli huggingface-cli docker-machine resolvectl networkctl localectl systemd-analyze coredumpctl bluetoothctl rfkill udevadm ossutil okteto devspace',
    {
      verbs: {
        read: 'compile docs manifest digest config deps debug lineage blame critical-chain',
        run: 'run seed test deps worker beat flower trigger webserver scheduler standalone server ui',
        publish: 'upload push publish',
        destroy: 'rmp',
      },
    },
  ],
  [
    'minikube k3d kind',
    {
      verbs: {
        read: 'profile image ip dashboard',
        run: 'start stop pause load tunnel addons docker-env create mount ssh cache import',
      },
      bare: 26,
    },
  ],
  [
    'dvc wandb mkcert',
    { verbs: { run: 'push add sync init run exp fetch login agent sweep commit', destroy: 'gc' }, bare: 26 },
  ],
  [
    'doveadm',
    { verbs: { read: 'search fetch who log quota', change: 'altmove', stop: 'kick', destroy: 'expunge purge' } },
  ],
  ['postsuper', { verbs: { change: '-r -H -s -p', stop: '-h', destroy: '-d' } }],
  ['postqueue', { verbs: { read: '-p -j', change: '-f -i -s' } }],
  [
    'exim exim4 sendmail.exim',
    { verbs: { read: '-bp -bpc -bt -Mvh -Mvb -Mvl', change: '-M -Mf -Mt', destroy: '-Mrm -Mg' } },
  ],
  ['ansible-lint ansible-doc trivy grype syft checkov tfsec tflint kubescape', { bare: 14 }],
  [
    'openstack nova glance cinder neutron swift-client heat nodetool smbclient hdiutil dscl sysadminctl upcloudctl',
    {
      verbs: {
        read: '-list -read -readall -search -L --list imageinfo ring tpstats describecluster',
        create: 'convert',
        publish: '-create -append -passwd -change -merge -addUser -resetPasswordFor',
        stop: 'decommission removenode assassinate',
        destroy: '-delete -deleteUser eraseKeys clearsnapshot deltree',
      },
    },
  ],
  ['defaults', { verbs: { read: 'read-type domains', change: 'write import' } }],
  [
    'ansible-vault ansible-galaxy ansible-inventory salt puppet chef knife',
    { verbs: { publish: 'publish' }, bare: 50 },
  ],
  [
    'helm helmfile kustomize argocd flux istioctl linkerd kubeadm kops eksctl crossplane skaffold tilt rancher',
    {
      verbs: {
        read: 'dependency repo env dashboard proj app',
      },
    },
  ],
  [
    'restic borg borgmatic duplicity duplicati kopia bup rdiff-backup rsnapshot rustic',
    {
      verbs: {
        read: 'mount key-list umount create-help',
        run: 'backup create init copy',
        change: 'tag rebuild-index key recover repair',
        stop: 'compact rewrite',
        destroy: 'break-lock',
      },
      rehearsal: '-n',
    },
  ],
  [
    'tarsnap',
    { verbs: { read: '--list-archives -t --print-stats', create: '-c', change: '-x -r', destroy: '-d --nuke' } },
  ],
  [
    'rclone s3cmd mc s5cmd b2 azcopy gdrive minio-client',
    {
      verbs: {
        read: 'lsl lsd lsf lsjson size about config md5sum sha1sum du ncdu',
        run: 'copy copyto cp mkdir mb put touch link',
        stop: 'move sync mv',
        destroy: 'deletefile rmdirs bisync dedupe mirror',
      },
      rehearsal: '-n',
    },
  ],
  [
    'kafka-topics kafka-consumer-groups kafka-acls kafka-configs kafka-delete-records kafka-reassign-partitions kafka-console-consumer kafka-console-producer kafka-leader-election rpk kcctl zookeeper-shell pulsar-admin',
    { bare: 30 },
  ],
  ['kcat kafkacat', { verbs: { read: '-L -C -Q', change: '-P', destroy: '-Z' }, bare: 30 }],
  ['kafka-topics.sh kafka-consumer-groups.sh kafka-acls.sh kafka-configs.sh kafka-delete-records.sh', { bare: 30 }],
  [
    'rabbitmqctl rabbitmqadmin rabbitmq-plugins rabbitmq-queues nats nsc mosquitto_ctrl',
    {
      verbs: {
        read: 'list_queues list_users sub rtt',
        create: 'pub add_user',
        change: 'set_policy set_permissions change_password',
        stop: 'stop_app',
        destroy: 'force_reset forget_cluster_node clear_permissions',
      },
    },
  ],
  [
    'hub-cli tea bb jira linear',
    {
      verbs: {
        read: 'checks auth-status',
        run: 'clone',
        create: 'fork review',
        change: 'reopen ready rerun',
        destroy: 'archive',
      },
    },
  ],
  [
    'circleci jenkins jenkins-cli travis drone buildkite-agent gitlab-runner concourse tkn teamcity',
    {
      verbs: {
        read: 'config diagnostic process setup who-am-i session-id source execute',
        publish: 'groovy groovysh',
        destroy: 'remove-secret delete-job',
      },
    },
  ],
  ['act', { bare: 26 }],
  ['bun-pm', {}],
  [
    'pip pip3 pipx easy_install gem composer cpan cpanm luarocks opam vcpkg conan nuget bower volta nvm fnm sdk rustup ghcup pod carthage brew port choco scoop winget',
    {
      verbs: {
        read: 'freeze deps uses leaves config env which cache desc home',
        run: 'cleanup install reinstall download wheel tap use default upgrade update link unlink pin switch services require dump-autoload i uninstall remove deintegrate',
        publish: 'push publish yank upload',
        destroy: 'autoremove untap',
      },
    },
  ],
  [
    'stripe braintree square twilio sendgrid mailgun postmark sentry-cli datadog-ci ddog newrelic splunk ldcli launchdarkly flipt unleash split grafana-cli promtool amtool influx tctl temporal kong deck apigeecli fastly akamai nginx haproxy traefik caddy algolia meilisearch elasticdump curator eland opensearch-cli elasticsearch-keystore elasticsearch-users',
    { verbs: { read: 'listen -t -T -v -c', stop: '-s -sf -st' } },
  ],
  ['pd pagerduty', { verbs: { change: 'resolve ack acknowledge' } }],
  ['route53 dnscontrol octodns rndc knotc pdnsutil', { bare: 45 }],
  [
    'prisma sequelize knex typeorm drizzle-kit alembic flyway liquibase goose dbmate atlas rails django-admin migrate artisan symfony console flask manage.py sequelize-cli wp drush magento ecto rake-db hasura',
    {
      verbs: {
        read: 'routes about showmigrations diffsettings sqlmigrate inspectdb heads branches failed router container notes update-sql',
        run: 'format makemigrations runserver collectstatic test make run migrate upgrade latest up studio createsuperuser revision startapp startproject init new g s server c shell push queue:work loaddata work cache:clear config:clear key:generate optimize optimize:clear storage:link db:setup createcachetable cr setup config:cache view:clear route:clear event:clear schedule:work dbshell tinker seed introspect db:migrate db:seed install add',
        change: 'downgrade load',
        stop: 'rollback-count rollback-to-date',
        destroy: 'fresh refresh sqlflush reset_db dropAll drop-all undo zero down-to clean-db',
      },
      tests: true,
    },
  ],
  [
    'virsh qm pct vboxmanage VBoxManage vmrun govc esxcli prlctl qemu-img',
    {
      verbs: {
        read: 'dominfo domstate domblklist domiflist domstats dumpxml nodeinfo net-list pool-list vol-list',
        stop: 'shutdown',
        destroy: 'unregistervm poweroff',
      },
    },
  ],
  [
    'zfs zpool btrfs lvm stratis ceph rados rbd gluster',
    {
      verbs: {
        read: 'iostat filesystem df quorum_status',
        destroy: 'rollback labelclear',
        change: 'scrub snapshot',
      },
    },
  ],
  ['certbot acme.sh step cfssl', { verbs: { read: 'certificates', create: 'certonly' } }],
  [
    'svn hg bzr fossil p4 cvs',
    {
      verbs: {
        read: 'annotate blame heads tip identify opened files changes have where filelog',
        create: 'checkout co commit ci',
        destroy: 'revert strip',
      },
    },
  ],
  [
    'dropbox dropbox-cli tailscale wg wg-quick openvpn zerotier-cli',
    { verbs: { read: 'ip netcheck whois' }, bare: 40 },
  ],
]
