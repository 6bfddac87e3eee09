package dev.chargehand.cli.serve;

import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.ServerSettings;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.server.ApiKeys;
import dev.chargehand.server.HttpBinding;
import dev.chargehand.server.OidcTokens;
import dev.chargehand.server.ServerAnswers;
import dev.chargehand.server.ServerBuilder;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.ServerWire;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sets what an agents' file says of its server, and finds its mistakes. */
public final class ServerOfFile {

    private final ServerSettings settings;
    private final Path folder;
    private final Variables variables;

    /** Read the server of a file; {@code variables} are those in its texts. */
    public ServerOfFile(AgentsFile file, Variables variables) {
        this.settings = file.server();
        this.folder = file.folder();
        this.variables = variables;
    }

    /** Set everything but the sign-in. */
    void addTo(ServerBuilder server) {
        settings.host().map(this::text).ifPresent(server::host);
        settings.port().ifPresent(server::port);
        settings.names().forEach(name -> server.addName(text(name)));
        settings.binding()
                .map(name -> HttpBinding.valueOf(name.toUpperCase(Locale.ROOT)))
                .ifPresent(server::binding);
        settings.contextKeys().forEach(key -> server.addContextKey(key.text()));
        server.selectableVersions(
                settings.selectableVersions().stream().map(Setting::text).toArray(String[]::new));
        server.selectableModels(
                settings.selectableModels().stream().map(Setting::text).toArray(String[]::new));
        settings.wires().map(ServerOfFile::wires).ifPresent(server::wires);
        server.resumable(wires(settings.resumable()));
        settings.answers()
                .map(name -> ServerAnswers.valueOf(name.toUpperCase(Locale.ROOT)))
                .ifPresent(server::answers);
        settings.limits()
                .forEach((key, value) -> server.limit(named(ServerLimit.values(), ServerLimit::key, key), value));
        settings.timeLimits()
                .forEach((key, value) ->
                        server.timeLimit(named(ServerTimeLimit.values(), ServerTimeLimit::key, key), value));
    }

    private static ServerWire[] wires(List<Setting> names) {
        return names.stream()
                .map(name -> named(ServerWire.values(), ServerOfFile::key, name.text()))
                .toArray(ServerWire[]::new);
    }

    /** Return the name of a protocol in a file. */
    static String key(ServerWire wire) {
        return wire.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <T> T named(T[] values, Function<T, String> key, String name) {
        return Stream.of(values)
                .filter(value -> key.apply(value).equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("The file may name '" + name + "', but the server has none."));
    }

    /** Return what {@code serve} rejects of this, as far as that shows without a server. */
    public List<String> mistakes() {
        List<String> mistakes = new ArrayList<>();
        settings.host().ifPresent(host -> attempt(() -> requireHost(host), mistakes));
        settings.oidc().ifPresent(provider -> attempt(() -> tokens(provider), mistakes));
        settings.keys().ifPresent(keys -> attempt(() -> ApiKeys.of(folder.resolve(text(keys))), mistakes));
        return mistakes;
    }

    private static void attempt(Runnable check, List<String> mistakes) {
        try {
            check.run();
        } catch (ConfigurationException e) {
            mistakes.add(String.valueOf(e.getMessage()));
        }
    }

    private void requireHost(Setting host) {
        String address = text(host);
        boolean isOfThisMachine;
        try {
            isOfThisMachine = InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw host.at()
                    .error("'host' of 'server' must be an address of this machine, such as 127.0.0.1 or 0.0.0.0,"
                            + " but is '" + address + "', which cannot be found.");
        }
        if (!isOfThisMachine && !hasSignIn()) {
            throw host.at()
                    .error("'host' of 'server' lets other machines reach the server at '" + address
                            + "', which has no sign-in. Add 'keys' or 'oidc' to 'server', or leave 'host' to"
                            + " 'chargehand serve --host', with --keys or --oidc.");
        }
    }

    /** Return whether callers must sign in. */
    boolean hasSignIn() {
        return settings.keys().isPresent() || settings.oidc().isPresent();
    }

    /**
     * Add what finds callers.
     *
     * @param check whether a provider is asked for its keys now, to find mistakes
     */
    void addSignIn(ServerBuilder server, boolean check) {
        settings.keys().ifPresent(file -> server.addPrincipals(ApiKeys.of(folder.resolve(text(file)))));
        settings.oidc().ifPresent(provider -> {
            OidcTokens tokens = tokens(provider);
            if (check) {
                tokens.check();
            }
            server.addPrincipals(tokens);
        });
    }

    private OidcTokens tokens(ServerSettings.Oidc provider) {
        OidcTokens tokens = ofProvider(provider);
        tokens = with(provider.tenantClaim(), tokens, OidcTokens::tenantClaim);
        tokens = with(provider.resourceClaim(), tokens, OidcTokens::resourceClaim);
        return with(provider.scopesClaim(), tokens, OidcTokens::scopesClaim);
    }

    private OidcTokens ofProvider(ServerSettings.Oidc provider) {
        URI issuer = address(provider.issuer());
        String audience = text(provider.audience());
        try {
            return OidcTokens.of(issuer, audience);
        } catch (ConfigurationException e) {
            throw (audience.isBlank() ? provider.audience() : provider.issuer())
                    .at()
                    .error(String.valueOf(e.getMessage()));
        }
    }

    private OidcTokens with(
            @Nullable Setting claim, OidcTokens tokens, BiFunction<OidcTokens, String, OidcTokens> change) {
        return claim == null ? tokens : change.apply(tokens, text(claim));
    }

    private URI address(Setting issuer) {
        String text = text(issuer);
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw issuer.at()
                    .error("'issuer' must be an address such as https://login.example.com, but is '" + text + "'.");
        }
    }

    private String text(Setting setting) {
        return variables.resolve(setting).text();
    }
}
