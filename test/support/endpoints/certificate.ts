/** Of a server named `server.test`, signed by itself; nothing real is behind it. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgn5Z0XhzrDuW/vXgS
V5hbMCC5FKA+CsMuKO8gQdgyKmOhRANCAASeqvuhX1PyiR/x2Nv95qlWqkxwoz1w
UQCuO9+M+7lksb/V7hswNXOLqRzXzMqpftGvImGW+TnAh7pLG4pwdeLc
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUC8xFM7zT1KpKaQEh+75F1OcLbV0wCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLc2VydmVyLnRlc3QwIBcNMjYxMTIzMTg1NzAyWhgPMjEyNjEw
MzAxODU3MDJaMBYxFDASBgNVBAMMC3NlcnZlci50ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEnqr7oV9T8okf8djb/eapVqpMcKM9cFEArjvfjPu5ZLG/1e4b
MDVzi6kc18zKqX7RryJhlvk5wIe6SxuKcHXi3KNrMGkwHQYDVR0OBBYEFClXhDVc
BddyXsx04cv+qddkRzzDMB8GA1UdIwQYMBaAFClXhDVcBddyXsx04cv+qddkRzzD
MA8GA1UdEwEB/wQFMAMBAf8wFgYDVR0RBA8wDYILc2VydmVyLnRlc3QwCgYIKoZI
zj0EAwIDRwAwRAIgWYaagvHBnyu+CkbzCi56rVYJETSm8XsnlBu/4Fg869oCIGnB
n8PZdrLmpgmKn71lIfcGQaVqoWxoxcaU4aSyyhu4
-----END CERTIFICATE-----`,
};
