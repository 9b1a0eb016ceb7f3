import type { CommandLineRow } from './judge-verbs.ts'

/** Command lines of services that share the verb table; a row says only what is different. */
export const COMMAND_LINE_ROWS: readonly (readonly [names: string, row: CommandLineRow])[] = [
  [
    'az doctl linode-cli hcloud ibmcloud oci aliyun scw vultr-cli exo civo flyctl fly heroku render surge sam cdk cdktf sls serverless eb copilot pscale supabase neonctl turso planetscale ngrok cloudflared flarectl dokku cf',
    {},
  ],
  [
    'vercel netlify railway wrangler firebase amplify',
    { verbs: { run: 'link run emulators:exec emulators:start pull codegen' } },
  ],
  ['gcloud', { groups: 'run storage' }],
  [
    'vault consul nomad boundary waypoint packer etcdctl',
    {
      verbs: {
        read: 'read token-lookup catalog members',
        change: 'write unseal',
        stop: 'seal step-down rekey restore',
        destroy: 'destroy',
      },
    },
  ],
  [
    'bw lastpass lpass pass gopass keepassxc-cli 1password sops age teller',
    { verbs: { read: 'generate -d --decrypt', change: 'rotate -i', stop: '-r --rotate' } },
  ],
  [
    'terraform tofu terragrunt',
    {
      verbs: {
        read: 'plan show output validate providers version graph fmt workspace console metadata test state',
        create: 'init get import',
        change: 'apply refresh push',
        stop: 'taint untaint force-unlock',
        destroy: 'destroy rm',
      },
    },
  ],
  [
    'pulumi',
    {
      verbs: {
        read: 'preview stack whoami about',
        create: 'new login',
        change: 'refresh import',
        publish: 'up',
        stop: 'cancel',
        destroy: 'destroy rm',
      },
    },
  ],
  [
    'airflow celery dbt prefect dagster mlflow meltano confluent ksql twine argo ctr crictl skopeo crane oras regctl cosign kubeseal krew gitlab-ctl gitlab-rails gitlab-rake logcli k6 newman saml2aws ecs-cli huggingface-cli docker-machine resolvectl networkctl localectl systemd-analyze coredumpctl bluetoothctl rfkill udevadm ossutil okteto devspace',
    {
      verbs: {
        read: 'compile docs manifest digest config deps debug lineage blame critical-chain',
        run: 'run seed build test deps worker beat flower trigger webserver scheduler standalone server ui',
        publish: 'upload push publish',
        destroy: 'rmp rmi',
      },
    },
  ],
  [
    'minikube k3d kind',
    {
      verbs: {
        read: 'get list status profile image ip logs dashboard',
        run: 'start stop pause load tunnel addons docker-env create mount ssh cache import',
      },
      bare: 26,
    },
  ],
  [
    'dvc wandb mkcert',
    { verbs: { run: 'push pull add repro sync init run exp fetch checkout login agent sweep commit' }, bare: 26 },
  ],
  ['ansible-lint ansible-doc trivy grype syft checkov tfsec tflint kubescape', { bare: 14 }],
  [
    'openstack nova glance cinder neutron swift-client heat nodetool smbclient hdiutil dscl sysadminctl upcloudctl',
    {
      verbs: {
        read: '-list -read -readall -search -L --list info imageinfo ring tpstats describecluster',
        create: 'attach mount create convert',
        publish: '-create -append -passwd -change -merge -addUser -resetPasswordFor',
        stop: 'decommission removenode assassinate drain',
        destroy: '-delete -deleteUser erase eraseKeys clearsnapshot deltree',
      },
    },
  ],
  ['defaults', { verbs: { read: 'read read-type domains', change: 'write import rename' } }],
  ['ansible-vault ansible-galaxy ansible-inventory salt puppet chef knife', { bare: 50 }],
  [
    'helm helmfile kustomize argocd flux istioctl linkerd kubeadm kops eksctl velero crossplane skaffold tilt rancher',
    {
      verbs: {
        read: 'template dependency repo env get list status history show search lint dashboard proj app',
        create: 'install',
        change: 'upgrade',
        stop: 'rollback suspend',
        destroy: 'uninstall delete reset',
      },
    },
  ],
  [
    'restic borg borgmatic duplicity duplicati kopia bup rdiff-backup rsnapshot rustic',
    {
      verbs: {
        read: 'snapshots mount check info key-list ls find cat diff stats list version umount create-help',
        run: 'backup create init copy',
        change: 'restore tag migrate rebuild-index key recover repair unlock rename',
        stop: 'compact rewrite recreate',
        destroy: 'forget prune delete remove break-lock',
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
        read: 'ls lsl lsd lsf lsjson size cat check about config md5sum sha1sum tree info du ncdu',
        run: 'copy copyto cp mkdir mb put touch link',
        stop: 'move sync mv',
        destroy: 'delete deletefile purge rmdir rmdirs rb cleanup bisync dedupe rm del mirror',
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
        read: 'list_queues list_users environment sub rtt report',
        create: 'pub publish add_user',
        change: 'set_policy set_permissions change_password',
        stop: 'stop_app stop',
        destroy: 'reset force_reset forget_cluster_node purge delete clear_permissions',
      },
    },
  ],
  [
    'gh glab hub-cli tea bb jira linear',
    {
      verbs: {
        read: 'view list status diff checks search browse auth-status',
        run: 'clone checkout',
        create: 'create comment fork review',
        change: 'edit merge close reopen ready rename sync rerun run',
        stop: 'cancel disable',
        destroy: 'delete remove archive',
      },
    },
  ],
  [
    'circleci jenkins jenkins-cli travis drone buildkite-agent gitlab-runner concourse tkn teamcity',
    {
      verbs: {
        read: 'validate config diagnostic verify process console setup who-am-i session-id source execute',
        publish: 'groovy groovysh',
        destroy: 'unregister remove-secret delete-job',
      },
    },
  ],
  ['act', { bare: 26 }],
  ['npm pnpm yarn bun-pm', {}],
  [
    'pip pip3 pipx easy_install gem composer cpan cpanm luarocks opam vcpkg conan nuget bower volta nvm fnm sdk rustup ghcup pod carthage brew port choco scoop winget',
    {
      verbs: {
        read: 'list show freeze search check outdated info deps uses doctor leaves config env ls which view help cache desc home current',
        run: 'cleanup install reinstall download wheel tap use default upgrade update link unlink pin switch services require dump-autoload i uninstall remove deintegrate',
        publish: 'push publish yank',
        destroy: 'autoremove untap purge',
      },
    },
  ],
  [
    'stripe braintree square twilio sendgrid mailgun postmark sentry-cli datadog-ci ddog newrelic splunk ldcli launchdarkly flipt unleash split grafana-cli promtool amtool influx tctl temporal kong deck apigeecli fastly akamai nginx haproxy traefik caddy algolia meilisearch elasticdump curator eland opensearch-cli elasticsearch-keystore elasticsearch-users',
    { verbs: { read: 'listen -t -T -v -c', stop: '-s -sf -st' } },
  ],
  ['pd pagerduty', { verbs: { change: 'resolve ack acknowledge' } }],
  ['route53 dnscontrol octodns nsupdate rndc knotc pdnsutil', { bare: 45 }],
  [
    'prisma sequelize knex typeorm drizzle-kit alembic flyway liquibase goose dbmate atlas rails django-admin migrate artisan symfony console flask manage.py sequelize-cli wp drush magento ecto rake-db hasura',
    {
      verbs: {
        read: 'routes about showmigrations diffsettings sqlmigrate inspectdb heads current branches failed router container monitor notes stats update-sql',
        run: 'generate format makemigrations runserver collectstatic serve test compile make run migrate upgrade latest up studio createsuperuser revision startapp startproject init new g s server c shell push queue:work loaddata work cache:clear config:clear key:generate optimize optimize:clear storage:link db:setup createcachetable cr setup config:cache view:clear route:clear event:clear schedule:work dbshell tinker dev seed introspect pull db:migrate db:seed install add',
        change: 'execute deploy downgrade load',
        stop: 'rollback rollback-count rollback-to-date',
        destroy:
          'reset drop fresh refresh wipe clean flush sqlflush reset_db dropAll drop-all undo zero down down-to empty clean-db purge',
      },
      tests: true,
    },
  ],
  [
    'virsh qm pct vboxmanage VBoxManage vmrun govc esxcli prlctl qemu-img',
    {
      verbs: {
        read: 'list dominfo domstate domblklist domiflist domstats dumpxml nodeinfo net-list pool-list vol-list',
        create: 'start clone',
        stop: 'shutdown suspend',
        destroy: 'destroy undefine delete unregistervm poweroff',
      },
    },
  ],
  [
    'zfs zpool btrfs lvm stratis ceph rados rbd gluster',
    {
      verbs: {
        read: 'list get status iostat history filesystem df health tree usage quorum_status',
        destroy: 'destroy rollback labelclear',
        change: 'scrub snapshot',
      },
    },
  ],
  ['certbot acme.sh step cfssl', { verbs: { read: 'certificates', create: 'certonly', destroy: 'revoke delete' } }],
  [
    'svn hg bzr fossil p4 cvs',
    {
      verbs: {
        read: 'annotate blame heads tip summary identify opened files changes have where filelog',
        create: 'checkout co commit ci',
        change: 'switch',
        destroy: 'revert strip obliterate',
      },
    },
  ],
  [
    'dropbox dropbox-cli tailscale wg wg-quick openvpn zerotier-cli',
    { verbs: { read: 'ip netcheck whois' }, bare: 40 },
  ],
]
