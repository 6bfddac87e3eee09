package dev.chargehand.provider.connection;

import dev.chargehand.error.ConfigurationException;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/** Validates the base URLs of APIs. */
public final class BaseUrl {

    private BaseUrl() {}

    /**
     * Return an address without slashes at its end.
     *
     * @param displayName the model that it is for, for errors
     * @throws ConfigurationException if it is not an http or https URL, or has parts that it must not have
     */
    public static URI of(String displayName, String text) {
        String base = text.strip();
        while (base.endsWith("/")) {
            base = base.substring(0, base.length() - 1);
        }
        URI uri;
        try {
            uri = URI.create(base);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException("Model '" + displayName + "': its base URL is not a URL; it should look "
                    + "like https://api.openai.com/v1.");
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!Set.of("http", "https").contains(scheme) || uri.getHost() == null) {
            throw new ConfigurationException("Model '" + displayName + "': its base URL must start with http:// or "
                    + "https:// and a host, like https://api.openai.com/v1.");
        }
        if (uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new ConfigurationException("Model '" + displayName + "': its base URL must not have a user, a query "
                    + "or a fragment; give the key as a key and everything else as a header.");
        }
        if (uri.getPort() > 65_535) {
            throw new ConfigurationException("Model '" + displayName + "': its base URL has the port " + uri.getPort()
                    + "; ports are 1 to 65535.");
        }
        return uri;
    }
}
