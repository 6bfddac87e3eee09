package dev.chargehand.cli.serve;

import dev.chargehand.server.ApiKeys;
import dev.chargehand.server.OidcTokens;
import dev.chargehand.server.ServerBuilder;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** How callers of the server sign in; without these options they do not. */
final class SignInOptions {

    /** The provider of tokens. */
    private static final class Provider {

        @Option(
                names = "--oidc",
                required = true,
                paramLabel = "ISSUER",
                description = "Accept tokens of the OpenID provider with this address.")
        private URI issuer = URI.create("");

        @Option(
                names = "--audience",
                required = true,
                paramLabel = "NAME",
                description = "What the tokens for this server have as 'aud'.")
        private String audience = "";

        @Option(
                names = "--tenant-claim",
                paramLabel = "NAME",
                description = "The claim with the tenant. Default: none; all belong to the tenant 'local'.")
        private @Nullable String tenant;

        @Option(
                names = "--resource-claim",
                paramLabel = "NAME",
                description = "The claim with the resource, such as the user. Default: sub.")
        private String resource = "sub";

        @Option(
                names = "--scopes-claim",
                paramLabel = "NAME",
                description = "The claim with the scopes. Default: scope.")
        private String scopes = "scope";

        private OidcTokens tokens() {
            OidcTokens tokens =
                    OidcTokens.of(issuer, audience).resourceClaim(resource).scopesClaim(scopes);
            return tenant == null ? tokens : tokens.tenantClaim(tenant);
        }
    }

    @Option(
            names = "--keys",
            paramLabel = "FILE",
            description = "The keys with which callers sign in; 'chargehand keys add' makes them.")
    private @Nullable Path keys;

    @ArgGroup(exclusive = false)
    private @Nullable Provider provider;

    /** Return whether callers must sign in. */
    boolean areRequired() {
        return keys != null || provider != null;
    }

    /**
     * Add them to a server.
     *
     * @param check whether a provider is asked for its keys now, to find mistakes
     */
    void addTo(ServerBuilder server, Path folder, boolean check) {
        if (keys != null) {
            server.addPrincipals(ApiKeys.of(folder.resolve(keys)));
        }
        if (provider != null) {
            OidcTokens tokens = provider.tokens();
            if (check) {
                tokens.check();
            }
            server.addPrincipals(tokens);
        }
    }
}
