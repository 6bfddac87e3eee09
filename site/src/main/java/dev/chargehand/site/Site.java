package dev.chargehand.site;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes a site of a repository's documents. */
public final class Site {

    private Site() {}

    /**
     * Make the site, unless the documents are wrong; a site that turns out to be wrong stays, to be looked at.
     *
     * @return what is wrong, by file and line; nothing if the site exists and all of it is sound
     * @throws IOException if a file cannot be read or written
     */
    public static List<Problem> make(Settings settings) throws IOException {
        Repository repository = Repository.read(settings.repository());
        Page list = repository.pages().get(settings.contents());
        if (list == null) {
            return List.of(new Problem(settings.contents(), 1, "the contents are missing."));
        }
        Contents contents = Contents.of(list, repository);
        List<Problem> problems = new ArrayList<>(check(repository, contents, list));
        if (!Files.exists(settings.reference().resolve("index.html"))) {
            problems.add(new Problem(
                    settings.contents(),
                    1,
                    "the API reference is not in " + settings.reference()
                            + "; 'mvn -pl :chargehand-site -am -DskipTests verify' makes it first."));
        }
        if (problems.isEmpty()) {
            new Output(settings, repository, contents).write();
            problems.addAll(OutputCheck.check(settings.output()));
        }
        return problems.stream().sorted().toList();
    }

    private static List<Problem> check(Repository repository, Contents contents, Page list) {
        List<Problem> problems = new ArrayList<>();
        repository.pages().values().forEach(page -> new LinkCheck(page, repository, problems::add).run());
        Set<String> listed = new HashSet<>();
        for (Contents.Entry entry : contents.all()) {
            if (!listed.add(entry.source())) {
                problems.add(new Problem(list.source(), 1, "'" + entry.source() + "' is listed twice."));
            }
        }
        for (Page page : repository.pages().values()) {
            if (LinkCheck.isPublic(page.source())) {
                check(page, listed, list).forEach(message -> problems.add(new Problem(page.source(), 1, message)));
            }
        }
        return problems;
    }

    private static List<String> check(Page page, Set<String> listed, Page list) {
        List<String> messages = new ArrayList<>();
        if (!listed.contains(page.source())) {
            messages.add("no way leads to this page: list it in " + list.source()
                    + ", or in the README.md of its folder if that is listed.");
        }
        long titles =
                page.headings().stream().filter(heading -> heading.level() == 1).count();
        if (titles != 1) {
            messages.add("a page has one heading of level 1, its title; this one has " + titles + ".");
        }
        return messages;
    }
}
