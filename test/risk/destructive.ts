/** Commands whose loss nobody wants; written for this test, of the kinds that people guard against. */
export const DESTRUCTIVE: readonly string[] = `
rm -rf /
rm -rf /etc
rm -fr /home/alice
rm -rf ..
rm -r -f /usr/lib
rm --recursive --force /opt/service
shred -u /etc/passwd
dd if=/dev/zero of=/dev/sda
mkfs.ext4 /dev/sdb1
wipefs -a /dev/nvme0n1
truncate -s 0 /var/lib/app/store.db
chmod -R 777 /
chown -R nobody /etc
find . -delete
find / -type f -delete
git reset --hard
git reset --hard HEAD~3
git clean -fdx
git push --force origin main
git push origin --delete release
git push origin +main
git branch -D feature
git stash clear
git checkout -- src
git restore src
git reflog expire --expire=now --all
git filter-branch --index-filter x HEAD
kubectl delete namespace production
kubectl delete pods --all
kubectl drain node-1
kubectl scale deployment web --replicas=0
helm uninstall web
docker system prune -af
docker volume rm db
docker rm -fv web
terraform destroy
terraform apply -auto-approve
terraform state rm module.db
pulumi destroy --yes
aws s3 rm s3://bucket --recursive
aws s3 rb s3://bucket --force
aws ec2 terminate-instances --instance-ids i-1
aws rds delete-db-instance --db-instance-identifier prod
aws dynamodb delete-table --table-name users
gcloud projects delete shop
gcloud compute instances delete web-1
az group delete --name prod
az keyvault purge --name keys
vault kv destroy -versions=1 secret/app
vault secrets disable kv
rclone purge remote:bucket
restic forget --keep-last 1 --prune
borg delete repo
dropdb production
redis-cli FLUSHALL
redis-cli -n 1 flushdb
gh repo delete owner/repo --yes
gh release delete v1
npm unpublish package --force
systemctl stop postgresql
systemctl disable firewalld
iptables -F
crontab -r
userdel -r alice
shutdown -h now
kill -9 -1
heroku apps:destroy shop
rabbitmqctl delete_vhost prod
kafka-topics --bootstrap-server broker:9092 --delete --topic orders
nats stream purge ORDERS
zfs destroy tank/home
lvremove vg/data
curl -X DELETE https://api.example.com/v1/users/7
rsync -a --delete empty/ data/
mongorestore --drop dump
`
  .trim()
  .split('\n')
