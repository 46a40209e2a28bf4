package org.elasticsearch.node;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.Build;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.plugins.NettyOnly;
import org.elasticsearch.plugins.PluginsLoader;
import org.elasticsearch.plugins.PluginsService;
import org.elasticsearch.rest.RestChannel;
import org.elasticsearch.rest.RestController;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;

/**
 * One Elasticsearch 8 or 9 node on the class path: the arguments are its folder and its port. It is in this package for
 * what that keeps to itself.
 */
public final class ElasticsearchServer {
    private static final class OwnPlugins extends NodeServiceProvider {
        @Override
        PluginsService newPluginService(Environment environment, PluginsLoader loader) {
            try {
                return new NettyOnly(environment);
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    /** What the server says it is: the module that answers GET / is not published as a package. */
    private static final class Identity implements RestHandler {
        @Override
        public List<Route> routes() {
            return List.of(new Route(RestRequest.Method.GET, "/"));
        }

        @Override
        public void handleRequest(RestRequest request, RestChannel channel, NodeClient client) throws Exception {
            channel.sendResponse(new RestResponse(RestStatus.OK, channel.newBuilder().startObject()
                .field("name", "only")
                .startObject("version")
                .field("number", Build.current().version())
                .field("build_flavor", "default")
                .endObject()
                .field("tagline", "You Know, for Search")
                .endObject()));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        Settings settings = Settings.builder()
            .put("cluster.name", "tributary-test")
            .put("node.name", "only")
            .put("discovery.type", "single-node")
            .put("path.home", home)
            .put("path.data", home.resolve("data"))
            .put("path.logs", home.resolve("logs"))
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            .put("http.type", "netty4")
            .put("transport.type", "netty4")
            .put("node.store.allow_mmap", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        LogConfigurator.registerErrorListener();
        LogConfigurator.setNodeName("only");
        LogConfigurator.configureESLogging();
        LogConfigurator.configureWithoutConfig(settings);
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "only");
        PluginsLoader none = PluginsLoader.createPluginsLoader(Set.of(), Set.of(), Map.of(), false);
        Node node = new Node(NodeConstruction.prepareConstruction(environment, none, new OwnPlugins(), false));
        node.injector().getInstance(RestController.class).registerHandler(new Identity());
        node.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception failure) {
                failure.printStackTrace();
            }
        }));
        Thread.currentThread().join();
    }
}
