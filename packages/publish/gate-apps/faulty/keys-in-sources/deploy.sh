export AWS_ACCESS_KEY_ID={{An AWS access key}}
git push https://x:{{A GitHub token}}@github.com/shop/site
psql "{{The password of a database}}" -f schema.sql
