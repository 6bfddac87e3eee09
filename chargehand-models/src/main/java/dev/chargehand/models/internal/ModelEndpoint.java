package dev.chargehand.models.internal;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.provider.connection.BaseUrl;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.SecretHeaders;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.message.BasicHeader;

/**
 * The endpoint of a model, with its key; validated.
 *
 * @param displayName the name that users know the model by
 * @param model the name that the server knows it by
 * @param uri where requests go
 * @param host the host of it
 * @param key the key
 * @param headers what is sent besides
 */
public record ModelEndpoint(
        String displayName, String model, URI uri, HttpHost host, EndpointKey key, List<Header> headers) {

    /** The path of chat completions. */
    public static final String CHAT = "/chat/completions";

    /** The path of embeddings. */
    public static final String EMBEDDINGS = "/embeddings";

    public ModelEndpoint {
        headers = List.copyOf(headers);
    }

    /**
     * Make an endpoint.
     *
     * @param path what is added to the base URL, {@link #CHAT} or {@link #EMBEDDINGS}
     * @throws ConfigurationException if the base URL is not an http or https URL, or a header cannot be sent
     */
    public static ModelEndpoint of(
            String displayName,
            String model,
            String baseUrl,
            String path,
            EndpointKey key,
            Map<String, String> headers) {
        URI uri = uri(displayName, baseUrl, path);
        List<Header> sent = new ArrayList<>();
        for (Map.Entry<String, String> each : headers.entrySet()) {
            sent.add(header(displayName, each.getKey(), each.getValue()));
        }
        return new ModelEndpoint(
                displayName,
                model,
                uri,
                new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort()),
                key,
                List.copyOf(sent));
    }

    /** Return what must not show: the key of this moment, and the values of headers. */
    Set<String> secrets() {
        Map<String, String> sent = new LinkedHashMap<>();
        for (Header header : headers) {
            sent.put(header.getName(), header.getValue());
        }
        Set<String> all = new HashSet<>(SecretHeaders.of(sent));
        String current = key.current();
        if (!current.isEmpty()) {
            all.add(current);
        }
        return Set.copyOf(all);
    }

    /** Return the factory of the model's exceptions. */
    ProviderFaults faults() {
        return new ProviderFaults(displayName, key.hint(), this::secrets);
    }

    /** Make a request without a body. */
    HttpPost post(String accepted, String currentKey) {
        HttpPost post = new HttpPost(uri);
        post.setHeader("Accept", accepted);
        post.setHeader("Accept-Encoding", "identity");
        for (Header header : headers) {
            post.setHeader(header);
        }
        if (!currentKey.isEmpty()) {
            post.setHeader("Authorization", "Bearer " + currentKey);
        }
        return post;
    }

    private static URI uri(String displayName, String baseUrl, String path) {
        URI base = BaseUrl.of(displayName, baseUrl);
        if (base.toString().endsWith(path)) {
            throw new ConfigurationException(
                    "Model '" + displayName + "': its base URL must end before " + path + ", which is added to it.");
        }
        return URI.create(base + path);
    }

    private static Header header(String displayName, String name, String value) {
        boolean sendable = !name.isEmpty()
                && name.chars().allMatch(c -> c > ' ' && c < 127 && c != ':')
                && SecretHeaders.isSendable(value);
        if (!sendable) {
            throw new ConfigurationException(
                    "Model '" + displayName + "': header '" + name.replaceAll("\\p{Cntrl}", "?")
                            + "' cannot be sent; names and values are printable ASCII on one line.");
        }
        return new BasicHeader(name, value);
    }
}
