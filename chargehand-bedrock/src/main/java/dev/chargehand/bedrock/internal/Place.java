package dev.chargehand.bedrock.internal;

import dev.chargehand.provider.connection.BaseUrl;
import dev.chargehand.provider.fault.ProviderFaults;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.PartitionMetadata;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/** Where Bedrock is called. Thread-safe; looks nothing up before it has to. */
public final class Place {

    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");

    private final @Nullable String givenRegion;
    private final @Nullable String givenUrl;
    private final Function<String, @Nullable String> environment;
    private volatile @Nullable String known;

    /**
     * Make it.
     *
     * @param region the region; null for that of the environment or the profile
     * @param baseUrl the base URL of the API; null for that of the region
     */
    public Place(@Nullable String region, @Nullable String baseUrl, Function<String, @Nullable String> environment) {
        this.givenRegion = region;
        this.givenUrl = baseUrl;
        this.environment = environment;
    }

    /** Return where a model's answers come from, streamed or in one piece. */
    URI of(String model, boolean isStream, ProviderFaults faults) {
        String base = baseUrl(faults);
        String escaped = URLEncoder.encode(model, StandardCharsets.UTF_8);
        return URI.create(base + "/model/" + escaped + (isStream ? "/converse-stream" : "/converse"));
    }

    private String baseUrl(ProviderFaults faults) {
        String url = givenUrl != null
                ? givenUrl
                : value("AWS_ENDPOINT_URL_BEDROCK_RUNTIME").orElse(null);
        if (url != null) {
            return BaseUrl.of(faults.model(), url).toString();
        }
        String region = region(faults);
        return "https://bedrock-runtime." + region + "."
                + PartitionMetadata.of(Region.of(region)).dnsSuffix();
    }

    /**
     * Return the region.
     *
     * @throws dev.chargehand.error.ModelException if none is set
     */
    public String region(ProviderFaults faults) {
        String region = known;
        if (region == null) {
            region = Optional.ofNullable(givenRegion)
                    .or(() -> value("AWS_REGION"))
                    .or(() -> value("AWS_DEFAULT_REGION"))
                    .orElseGet(() -> ofProfile(faults));
            if (!REGION.matcher(region).matches()) {
                throw faults.invalidRequest(
                        "the AWS region that is set cannot be one; it should look like eu-central-1");
            }
            known = region;
        }
        return region;
    }

    private static String ofProfile(ProviderFaults faults) {
        try {
            return DefaultAwsRegionProviderChain.builder().build().getRegion().id();
        } catch (SdkException e) {
            throw faults.invalidRequest("there is no AWS region; set AWS_REGION, or a region in the AWS profile");
        }
    }

    private Optional<String> value(String variable) {
        return Optional.ofNullable(environment.apply(variable)).filter(value -> !value.isBlank());
    }
}
