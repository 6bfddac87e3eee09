package dev.chargehand.openapi;

import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Checks the base URL of an API. */
public final class ServerAddress {

    private static final String WANTED = "must be an address such as https://orders.example.com/v2";

    private ServerAddress() {}

    /**
     * Return an address, its variables replaced, without slashes at its end.
     *
     * @throws dev.chargehand.error.ConfigurationException if a variable is not set, or requests cannot go there
     */
    public static URI of(Setting server, Variables variables) {
        String address = variables.resolve(server).text();
        Optional<String> problem = problem(address);
        if (problem.isPresent()) {
            throw server.at().error("'server' " + problem.get() + ", but is '" + Section.shown(address) + "'.");
        }
        return URI.create(address.replaceAll("(?<!/)/+$", ""));
    }

    /** Return what an address must be and is not; nothing if requests can go there. */
    public static Optional<String> problem(String address) {
        try {
            URI uri = new URI(address);
            boolean usable = uri.getScheme() != null
                    && uri.getScheme().matches("(?i)https?")
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
            return usable ? Optional.empty() : Optional.of(WANTED + ", without a user, a query or a fragment");
        } catch (URISyntaxException e) {
            return Optional.of(WANTED);
        }
    }
}
