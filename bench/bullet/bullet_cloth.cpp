#include "bullet_cloth.h"

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

struct bullet_cloth {
  explicit bullet_cloth(const bullet_settings& given) : settings(given) {}
  ~bullet_cloth() {
    dynamics.removeSoftBody(body.get());
    if (collider) dynamics.removeRigidBody(collider.get());
  }

  bullet_settings settings;
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btSoftRigidDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
  std::unique_ptr<btSphereShape> sphere;
  std::unique_ptr<btRigidBody> collider;
  std::unique_ptr<btSoftBody> body;
};

static void set_up_world(bullet_cloth& cloth) {
  const btVector3 gravity(0, -9.81f, 0);
  cloth.dynamics.setGravity(gravity);
  btSoftBodyWorldInfo& info = cloth.dynamics.getWorldInfo();
  info.m_gravity = gravity;
  info.m_dispatcher = &cloth.dispatcher;
  info.m_broadphase = &cloth.broadphase;
  info.m_sparsesdf.Initialize();
}

static std::unique_ptr<btSoftBody> make_body(btSoftBodyWorldInfo* info, const bench_scene& scene) {
  std::vector<btVector3> places;
  std::vector<btScalar> masses;
  for (uint32_t i = 0; i < scene.particle_count; ++i) {
    const float* p = scene.positions + 3 * static_cast<size_t>(i);
    const float inverse = scene.inverse_masses[i];
    places.emplace_back(p[0], p[1], p[2]);
    masses.push_back(inverse > 0.0f ? 1.0f / inverse : 0.0f);
  }
  const int count = static_cast<int>(places.size());
  auto body = std::make_unique<btSoftBody>(info, count, places.data(), masses.data());
  btSoftBody::Material* rigid = body->m_materials[0];
  rigid->m_kLST = 1.0f;
  for (uint32_t i = 0; i < scene.link_count; ++i) {
    const weft_link_def& link = scene.links[i];
    body->appendLink(static_cast<int>(link.a), static_cast<int>(link.b), rigid);
  }
  return body;
}

static void add_sphere(bullet_cloth& cloth) {
  cloth.sphere = std::make_unique<btSphereShape>(cloth.settings.radius);
  btRigidBody::btRigidBodyConstructionInfo info(0.0f, nullptr, cloth.sphere.get());
  info.m_friction = 1.0f;  // Bullet multiplies both coefficients
  cloth.collider = std::make_unique<btRigidBody>(info);
  cloth.dynamics.addRigidBody(cloth.collider.get());
  cloth.body->m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
}

bullet_cloth* bullet_cloth_create(const bench_scene* scene, const bullet_settings* settings) {
  auto cloth = std::make_unique<bullet_cloth>(*settings);
  set_up_world(*cloth);
  cloth->body = make_body(&cloth->dynamics.getWorldInfo(), *scene);
  btSoftBody::Config& config = cloth->body->m_cfg;
  config.piterations = static_cast<int>(settings->iterations);
  config.kDP = settings->damping;
  config.kDF = settings->friction;
  config.collisions = 0;
  if (settings->radius > 0.0f) add_sphere(*cloth);
  cloth->body->getCollisionShape()->setMargin(settings->thickness);
  cloth->dynamics.addSoftBody(cloth->body.get());
  return cloth.release();
}

void bullet_cloth_destroy(bullet_cloth* cloth) {
  delete cloth;
}

void bullet_cloth_step(bullet_cloth* cloth) {
  const btScalar h = 1.0f / 60.0f / static_cast<btScalar>(cloth->settings.substeps);
  for (uint32_t k = 0; k < cloth->settings.substeps; ++k) cloth->dynamics.stepSimulation(h, 0);
}

void bullet_cloth_get_positions(const bullet_cloth* cloth, float* positions) {
  const btSoftBody::tNodeArray& nodes = cloth->body->m_nodes;
  for (int i = 0; i < nodes.size(); ++i, positions += 3) {
    for (int axis = 0; axis < 3; ++axis) positions[axis] = nodes[i].m_x[axis];
  }
}
