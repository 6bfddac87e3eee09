package dev.chargehand.internal.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chargehand.internal.journal.stored.FactForm;
import dev.chargehand.internal.journal.stored.StoredFact;
import dev.chargehand.internal.journal.upcast.Upcasters;
import dev.chargehand.internal.json.PlainJson;
import dev.chargehand.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;

/** Writes stored forms as JSON and binds JSON to them. A component that is null is left out. */
final class StoredJson {

    /** A value is in a form, and may be nested as deeply as JSON is read: 500 levels. */
    private static final StreamReadConstraints LARGER =
            StreamReadConstraints.builder().maxNestingDepth(1_000).build();

    private static final JsonMapper MAPPER = JsonMapper.builder(
                    JsonFactory.builder().streamReadConstraints(LARGER).build())
            .addModule(values())
            .annotationIntrospector(new PrimitivesAreRequired())
            .changeDefaultPropertyInclusion(include -> include.withValueInclusion(JsonInclude.Include.NON_NULL))
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** Reads trees whose numbers are not the nearest doubles. */
    private static final ObjectReader EXACT = MAPPER.reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private StoredJson() {}

    /** Write a stored form. */
    static String write(Object stored) {
        return MAPPER.writeValueAsString(stored);
    }

    /** Read a stored form of the version that is written now. Throws any exception if the text is damaged. */
    static <T> T read(String text, Class<T> type) {
        return MAPPER.readValue(text, type);
    }

    /** Read a fact of any version up to the present one. Throws any exception if the text is damaged. */
    static StoredFact read(String text, FactForm form, int version) {
        if (version == form.version()) {
            return read(text, form.type());
        }
        ObjectNode tree = (ObjectNode) EXACT.readTree(text);
        Upcasters.lift(tree, form.key(), version, form.version());
        return MAPPER.treeToValue(tree, form.type());
    }

    private static SimpleModule values() {
        SimpleModule module = new SimpleModule("stored-values");
        ConstantNames.addTo(module);
        module.setDeserializerModifier(new NullIsJson());
        return module;
    }

    /** Rejects a form without a number or truth value; else it would be read as zero or false. */
    private static final class PrimitivesAreRequired extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
            return member.getRawType().isPrimitive();
        }
    }

    /** Reads null where any JSON is stored as JSON's null; only what is missing is null in Java. */
    private static final class NullIsJson extends ValueDeserializerModifier {

        private static final long serialVersionUID = 1L;

        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription.Supplier bean, ValueDeserializer<?> deserializer) {
            return bean.getBeanClass() == Json.class ? new AnyJson(deserializer) : deserializer;
        }
    }

    private static final class AnyJson extends DelegatingDeserializer {

        private static final Json NULL = Json.of(null);

        AnyJson(ValueDeserializer<?> of) {
            super(of);
        }

        @Override
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> of) {
            return new AnyJson(of);
        }

        /** By way of a tree, numbers would come back as the nearest doubles. */
        @Override
        public Object deserialize(JsonParser from, DeserializationContext context) {
            return Json.parse(PlainJson.copied(from));
        }

        @Override
        public Object getNullValue(DeserializationContext context) {
            return NULL;
        }

        @Override
        public @Nullable Object getAbsentValue(DeserializationContext context) {
            return null;
        }
    }
}
