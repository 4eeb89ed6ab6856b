/// The units with which systemd runs an exported host in `/opt/viper-host`.
enum SystemdUnits {
    /// The service. See systemd.service(5), and systemd.exec(5) for the restrictions.
    static let service = """
        [Unit]
        Description=VIPER host
        After=network.target

        [Service]
        Type=notify
        ExecStart=/opt/viper-host/bin/host serve --root /opt/viper-host --socket /run/viper-host/host.sock \\
            --state /var/lib/viper-host
        ExecReload=/bin/kill -HUP $MAINPID
        # The host ends its workers itself, after the running calls.
        KillMode=mixed
        TimeoutStopSec=60
        Restart=on-failure
        DynamicUser=yes
        StateDirectory=viper-host
        StateDirectoryMode=0700
        RuntimeDirectory=viper-host
        RuntimeDirectoryMode=0700
        NoNewPrivileges=yes
        ProtectSystem=strict
        ProtectHome=yes
        PrivateTmp=yes
        PrivateDevices=yes
        ProtectKernelTunables=yes
        ProtectKernelModules=yes
        ProtectControlGroups=yes
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
        RestrictNamespaces=yes
        RestrictRealtime=yes
        LockPersonality=yes
        SystemCallArchitectures=native
        CapabilityBoundingSet=

        [Install]
        WantedBy=multi-user.target

        """

    /// The socket of the pages. The service needs `"web": {"listen": "127.0.0.1:8080"}` in the settings of host.json.
    static let socket = """
        [Unit]
        Description=Pages of the VIPER host

        [Socket]
        ListenStream=127.0.0.1:8080

        [Install]
        WantedBy=sockets.target

        """
}
